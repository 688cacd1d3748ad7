import { data } from 'react-router';
import { useTranslation } from '~/ui/texts/texts.tsx';
import {
  correctionStatus,
  overStatus,
} from '~/features/application/correction/correction-answer.ts';
import {
  CorrectionEnd,
  CorrectionPage,
} from '~/features/application/correction/correction-page.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { asLine, asSentences } from '~/features/application/words.ts';
import { readForm } from '~/platform/input/read-form.server.ts';
import { PRIVATE_PAGE } from '~/platform/http/private-page.server.ts';
import { addressContext, platformContext } from '~/platform/http/request.server.ts';
import { answersHandle, SWITCH_LANGUAGE } from '~/ui/answers-form.ts';
import { DateField } from '~/ui/fields/date-field.tsx';
import { FileField } from '~/ui/fields/file-field.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import { partsTyped, type Typed } from '~/features/form/answers/controls.ts';
import { messageOf } from '~/features/form/answers/problem-message.ts';
import type { Correctable } from '../correction/correctable.ts';
import {
  correct,
  openCorrection,
  retypeCorrection,
  typedFrom,
} from '../correction/correct.server.ts';
import { limitsInTexts } from '~/features/form/answers/limits.ts';
import { PHOTO_TYPES } from '../rules/photo-rules.ts';
import { uploadsIn } from '../form/handle-form-submit.server.ts';
import { readTyped } from '../rules/typed.ts';
import type { Route } from './+types/correct.ts';

export const handle = answersHandle;

export async function loader({ params, context }: Route.LoaderArgs) {
  const opened = await openCorrection(context.get(platformContext), params.token);
  if (!opened.ok)
    return data({ open: null, why: opened.error }, { status: overStatus[opened.error] });
  const { correction, fields } = opened.value;
  const open = { fields, note: correction.note, typed: typedFrom(opened.value) };
  return data({ open, why: null });
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const platform = context.get(platformContext);
  const form = await readForm({ request, context });
  const typed = readTyped(form);
  const answer =
    form.get('intent') === SWITCH_LANGUAGE
      ? await retypeCorrection(platform, params.token, typed)
      : await correct(platform, params.token, {
          typed,
          uploads: await uploadsIn(form),
          address: context.get(addressContext),
        });
  return data(answer, { status: correctionStatus(answer) });
}

/** The token is in the address. */
export const headers = () => PRIVATE_PAGE;

function CorrectInsurancePage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('insurance');
  const { t: words } = useTranslation('correction');
  const language = useLanguage();
  const { open } = loaderData;
  if (actionData?.kind === 'done') return <CorrectionEnd word="done" />;
  if (actionData?.kind === 'over') return <CorrectionEnd word={actionData.why} />;
  if (!open) return <CorrectionEnd word={loaderData.why ?? 'over'} />;
  const problems = actionData?.kind === 'problems' ? actionData.problems : [];
  const typed = actionData?.typed ?? open.typed;
  const errorAt = (field: Correctable) => {
    const found = problems.find((problem) => problem.field === field);
    return found && asSentences(messageOf(t, language, 'insurance', found));
  };
  const [first = ''] = open.fields;
  const isUnchanged = actionData?.kind === 'unchanged';
  const unchanged = { name: first, message: words('page.unchanged') };
  const summary = problems.map((problem) => ({
    name: problem.field,
    message: asLine(messageOf(t, language, 'insurance', problem), language),
  }));
  return (
    <CorrectionPage note={open.note} problems={isUnchanged ? [unchanged] : summary} takesFiles>
      {open.fields.map((field) => (
        <Control error={errorAt(field)} field={field} key={field} typed={typed} />
      ))}
    </CorrectionPage>
  );
}

function Control({
  field,
  typed,
  error,
}: {
  field: Correctable;
  typed: Typed;
  error: string | undefined;
}) {
  const { t } = useTranslation('insurance');
  const shared = { name: field, label: t(`labels.${field}`), error };
  switch (field) {
    case 'dateOfBirth':
    case 'travelDate':
    case 'returnDate':
      return (
        <DateField
          {...shared}
          birthday={field === 'dateOfBirth'}
          defaultValue={partsTyped(typed, field)}
        />
      );
    case 'parentIdPhotos':
      return (
        <FileField
          {...shared}
          accept={PHOTO_TYPES.join(',')}
          hint={t('parent.files', limitsInTexts)}
          multiple
        />
      );
    default:
      return <TextField {...shared} defaultValue={typed[field]} latin width="full" />;
  }
}

export { CorrectInsurancePage as default };
