import { data, Form } from 'react-router';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '~/features/application/moment.tsx';
import { asLine, asSentences } from '~/features/application/words.ts';
import { platformContext } from '~/platform/request.server.ts';
import { ANSWERS_FORM, answersHandle, SWITCH_LANGUAGE } from '~/ui/answers-form.ts';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { CheckBox } from '~/ui/check-box.tsx';
import { ErrorSummary } from '~/ui/error-summary.tsx';
import { FormActions, NarrowPage, PageHead } from '~/ui/layout.tsx';
import { Notice } from '~/ui/notice.tsx';
import { TextArea } from '~/ui/text-field.tsx';
import type { Field } from '../answers.ts';
import {
  correct,
  openCorrection,
  retypeCorrection,
  typedFrom,
} from '../correction/correct.server.ts';
import type { Correctable } from '../correction/correctable.ts';
import { DateAnswer } from '../fields/date-answer.tsx';
import { NameLines } from '../fields/name-lines.tsx';
import { TextAnswer } from '../fields/text-answer.tsx';
import { messageOf } from '../wizard/problem-message.ts';
import { UNLIMITED } from '../wizard/typed.ts';
import type { Route } from './+types/correct.ts';

/** The token is in the address, and personal data on the page: it is kept nowhere. */
const PRIVATE = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };

export const handle = answersHandle;

export async function loader({ params, context }: Route.LoaderArgs) {
  const opened = await openCorrection(context.get(platformContext), params.token);
  if (!opened.ok) return data({ open: null, why: opened.error }, { status: 410, headers: PRIVATE });
  const { application, correction, fields } = opened.value;
  const { number } = application;
  const open = { number, fields, note: correction.note, typed: typedFrom(opened.value) };
  return data({ open, why: null }, { headers: PRIVATE });
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const platform = context.get(platformContext);
  const form = await request.formData();
  const answer =
    form.get('intent') === SWITCH_LANGUAGE
      ? await retypeCorrection(platform, params.token, form)
      : await correct(platform, params.token, form);
  const status = { done: 200, over: 410, typed: 200, problems: 422 }[answer.kind];
  return data(answer, { status, headers: PRIVATE });
}

export const headers = () => PRIVATE;

export default function CorrectPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation(['visa', 'ui']);
  const language = useLanguage();
  const { open } = loaderData;
  if (actionData?.kind === 'done') return <Over word="done" />;
  if (actionData?.kind === 'over') return <Over word={actionData.why} />;
  if (!open) return <Over word={loaderData.why ?? 'over'} />;
  const problems = actionData?.kind === 'problems' ? actionData.problems : [];
  const start = actionData?.typed ?? open.typed;
  const step = {
    start,
    typed: start,
    errorAt: (field: Field) => {
      const found = problems.find((problem) => problem.field === field);
      return found && asSentences(messageOf(t, language, found));
    },
  };
  const summary = problems.map((problem) => ({
    name: problem.field,
    message: asLine(messageOf(t, language, problem), language),
  }));
  const prefix = problems.length > 0 ? `${t('ui:errorSummary.titlePrefix')} ` : '';
  const asksName = open.fields.some((field) => field === 'firstName' || field === 'lastName');
  return (
    <NarrowPage>
      <title>{`${prefix}${t('correct.title')} · Lale`}</title>
      <ErrorSummary problems={summary} />
      <PageHead lead={t('correct.lead')} title={t('correct.title')} />
      <Notice title={t('correct.note')} tone="amber">
        <p className="whitespace-pre-line" dir="auto">
          {open.note}
        </p>
      </Notice>
      <Form id={ANSWERS_FORM} method="post" noValidate>
        {open.fields.map((field) => (
          <Control field={field} key={field} step={step} />
        ))}
        {asksName ? <NameLines step={step} /> : null}
        <FormActions>
          <Button arrow type="submit">
            {t('correct.send')}
          </Button>
        </FormActions>
      </Form>
    </NarrowPage>
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
