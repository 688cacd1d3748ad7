import { Fragment } from 'react';
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
import { platformContext } from '~/platform/http/request.server.ts';
import { answersHandle, SWITCH_LANGUAGE } from '~/ui/answers-form.ts';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { TextArea } from '~/ui/fields/text-field.tsx';
import { messageOf } from '~/features/form/answers/problem-message.ts';
import type { Field } from '../rules/answers.ts';
import {
  correct,
  openCorrection,
  retypeCorrection,
  typedFrom,
} from '../correction/correct.server.ts';
import type { Correctable } from '../correction/correctable.ts';
import { DateAnswer } from '../parts/date-answer.tsx';
import { NameLines } from '../parts/name-lines.tsx';
import { TextAnswer } from '../parts/text-answer.tsx';
import { UNLIMITED } from '../rules/typed.ts';
import type { Route } from './+types/correct.ts';

export const handle = answersHandle;

export async function loader({ params, context }: Route.LoaderArgs) {
  const opened = await openCorrection(context.get(platformContext), params.token);
  if (!opened.ok)
    return data({ open: null, why: opened.error }, { status: overStatus[opened.error] });
  const { application, correction, fields } = opened.value;
  const { number } = application;
  const open = { number, fields, note: correction.note, typed: typedFrom(opened.value) };
  return data({ open, why: null });
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const platform = context.get(platformContext);
  const form = await readForm({ request, context });
  const answer =
    form.get('intent') === SWITCH_LANGUAGE
      ? await retypeCorrection(platform, params.token, form)
      : await correct(platform, params.token, form);
  return data(answer, { status: correctionStatus(answer) });
}

/** The token is in the address. */
export const headers = () => PRIVATE_PAGE;

function CorrectPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('visa');
  const { t: words } = useTranslation('correction');
  const language = useLanguage();
  const { open } = loaderData;
  if (actionData?.kind === 'done') return <CorrectionEnd word="done" />;
  if (actionData?.kind === 'over') return <CorrectionEnd word={actionData.why} />;
  if (!open) return <CorrectionEnd word={loaderData.why ?? 'over'} />;
  const problems = actionData?.kind === 'problems' ? actionData.problems : [];
  const start = actionData?.typed ?? open.typed;
  const step = {
    start,
    typed: start,
    errorAt: (field: Field) => {
      const found = problems.find((problem) => problem.field === field);
      return found && asSentences(messageOf(t, language, 'visa', found));
    },
  };
  const [first = ''] = open.fields;
  const isUnchanged = actionData?.kind === 'unchanged';
  const unchanged = { name: first, message: words('page.unchanged') };
  const summary = problems.map((problem) => ({
    name: problem.field,
    message: asLine(messageOf(t, language, 'visa', problem), language),
  }));
  const lastOfName = open.fields.findLast((field) => field === 'firstName' || field === 'lastName');
  return (
    <CorrectionPage note={open.note} problems={isUnchanged ? [unchanged] : summary}>
      {open.fields.map((field) => (
        <Fragment key={field}>
          <Control field={field} step={step} />
          {field === lastOfName ? <NameLines step={step} /> : null}
        </Fragment>
      ))}
    </CorrectionPage>
  );
}

function Control({
  field,
  step,
}: {
  field: Correctable;
  step: Parameters<typeof NameLines>[0]['step'];
}) {
  const { t } = useTranslation('visa');
  switch (field) {
    case 'dateOfBirth':
      return <DateAnswer birthday field={field} step={step} />;
    case 'arrivalDate':
    case 'passportIssueDate':
    case 'passportExpiryDate':
    case 'supportingDocumentStartDate':
      return <DateAnswer field={field} step={step} />;
    case 'supportingDocumentEndDate':
      return (
        <>
          <DateAnswer field={field} step={step} />
          <CheckBox
            defaultChecked={step.start[UNLIMITED] === 'yes'}
            hint={t('supporting_document.unlimitedHint')}
            label={t('labels.supportingDocumentUnlimited')}
            name={UNLIMITED}
          />
        </>
      );
    case 'address':
      return (
        <TextArea
          autoComplete="street-address"
          defaultValue={step.start.address}
          error={step.errorAt('address')}
          label={t('labels.address')}
          latin
          name="address"
        />
      );
    default:
      return <TextAnswer field={field} latin step={step} width="full" />;
  }
}

export { CorrectPage as default };
