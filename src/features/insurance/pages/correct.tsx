import { data, Form } from 'react-router';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '~/features/application/moment.tsx';
import { asLine, asSentences } from '~/features/application/words.ts';
import { platformContext } from '~/platform/request.server.ts';
import { ANSWERS_FORM, answersHandle, SWITCH_LANGUAGE } from '~/ui/answers-form.ts';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { DateField } from '~/ui/date-field.tsx';
import { ErrorSummary } from '~/ui/error-summary.tsx';
import { FileField } from '~/ui/file-field.tsx';
import { FormActions, NarrowPage, PageHead } from '~/ui/layout.tsx';
import { Notice } from '~/ui/notice.tsx';
import { TextField } from '~/ui/text-field.tsx';
import type { Correctable } from '../correction/correctable.ts';
import {
  correct,
  openCorrection,
  retypeCorrection,
  typedFrom,
} from '../correction/correct.server.ts';
import { messageOf } from '../problem-message.ts';
import { uploadsIn } from '../take-form.server.ts';
import { partsTyped, readTyped, type Typed } from '../typed.ts';
import type { Route } from './+types/correct.ts';

/** The token is in the address, and personal data on the page: it is kept nowhere. */
const PRIVATE = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };

export const handle = answersHandle;

export async function loader({ params, context }: Route.LoaderArgs) {
  const opened = await openCorrection(context.get(platformContext), params.token);
  if (!opened.ok) return data({ open: null, why: opened.error }, { status: 410, headers: PRIVATE });
  const { correction, fields } = opened.value;
  const open = { fields, note: correction.note, typed: typedFrom(opened.value) };
  return data({ open, why: null }, { headers: PRIVATE });
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const platform = context.get(platformContext);
  const form = await request.formData();
  const typed = readTyped(form);
  const answer =
    form.get('intent') === SWITCH_LANGUAGE
      ? await retypeCorrection(platform, params.token, typed)
      : await correct(platform, params.token, { typed, uploads: await uploadsIn(form) });
  const status = { done: 200, over: 410, typed: 200, problems: 422 }[answer.kind];
  return data(answer, { status, headers: PRIVATE });
}

export const headers = ({ loaderHeaders }: Route.HeadersArgs) => loaderHeaders;

export default function CorrectInsurancePage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation(['insurance', 'visa', 'ui']);
  const language = useLanguage();
  const { open } = loaderData;
  if (actionData?.kind === 'done') return <Over word="done" />;
  if (actionData?.kind === 'over') return <Over word={actionData.why} />;
  if (!open) return <Over word={loaderData.why ?? 'over'} />;
  const problems = actionData?.kind === 'problems' ? actionData.problems : [];
  const typed = actionData?.typed ?? open.typed;
  const errorAt = (field: Correctable) => {
    const found = problems.find((problem) => problem.field === field);
    return found && asSentences(messageOf(t, language, found));
  };
  const summary = problems.map((problem) => ({
    name: problem.field,
    message: asLine(messageOf(t, language, problem), language),
  }));
  const prefix = problems.length > 0 ? `${t('ui:errorSummary.titlePrefix')} ` : '';
  return (
    <NarrowPage>
      <title>{`${prefix}${t('visa:correct.title')} · Lale`}</title>
      <ErrorSummary problems={summary} />
      <PageHead lead={t('visa:correct.lead')} title={t('visa:correct.title')} />
      <Notice title={t('visa:correct.note')} tone="amber">
        <p className="whitespace-pre-line" dir="auto">
          {open.note}
        </p>
      </Notice>
      <Form
        className="mt-8"
        encType="multipart/form-data"
        id={ANSWERS_FORM}
        method="post"
        noValidate
      >
        {open.fields.map((field) => (
          <Control error={errorAt(field)} field={field} key={field} typed={typed} />
        ))}
        <FormActions>
          <Button arrow type="submit">
            {t('visa:correct.send')}
          </Button>
        </FormActions>
      </Form>
    </NarrowPage>
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
      return <FileField {...shared} accept="image/*" hint={t('parent.files')} multiple />;
    default:
      return <TextField {...shared} defaultValue={typed[field]} latin width="full" />;
  }
}

/** Done now, done before, or too late: each says what is next. */
function Over({ word }: { word: 'done' | 'answered' | 'over' }) {
  const { t } = useTranslation('visa');
  const title = t(`correct.${word}Title`);
  return (
    <NarrowPage>
      <title>{`${title} · Lale`}</title>
      <PageHead lead={t(`correct.${word}Lead`)} title={title} />
      {/* Nothing to answer any more, but another language may be asked for. */}
      <form hidden id={ANSWERS_FORM} method="post" />
      <FormActions>
        <ButtonLink arrow to="/status">
          {t('correct.status')}
        </ButtonLink>
      </FormActions>
    </NarrowPage>
  );
}
