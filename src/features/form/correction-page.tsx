import type { ReactNode } from 'react';
import { Form } from '~/ui/page/form.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { ANSWERS_FORM } from '~/ui/answers-form.ts';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { FormHead } from '~/ui/fields/error-summary.tsx';
import { FormActions, NarrowPage, PageHead } from '~/ui/layout.tsx';
import { colonIn } from '~/base/languages.ts';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { useDeadlines } from '~/ui/moment.tsx';
import { Notice } from '~/ui/notice.tsx';
import type {
  CorrectionAnswer,
  CorrectionOver,
} from '~/features/application/correction/correction-answer.ts';
import { deadlineWords } from '~/features/application/correction/correction.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { Problem } from './answers/check.ts';
import type { Typed } from './answers/controls.ts';
import { useFieldErrors, type FieldErrors, type FormControls } from './page/use-field-errors.tsx';
import type { CorrectionPageData } from './correction-of.server.ts';

/** The note of staff with the controls of the reopened fields, or a note that the link has ended. */
export function CorrectionPage<Field extends string, Open extends Field>({
  form,
  page: { open, why },
  answer,
  takesFiles = false,
  children,
}: {
  form: FormControls;
  page: CorrectionPageData<Open>;
  answer: CorrectionAnswer<Problem<Field>> | undefined;
  takesFiles?: boolean;
  /** Renders the controls. */
  children: (form: FieldErrors<Field> & { typed: Typed }, fields: readonly Open[]) => ReactNode;
}) {
  const { t } = useTranslation('correction');
  const problems = answer?.kind === 'problems' ? answer.problems : [];
  const typed = (answer && 'typed' in answer ? answer.typed : open?.typed) ?? {};
  const errors = useFieldErrors(form, typed, problems);
  if (answer?.kind === 'done') return <CorrectionEnd word="done" />;
  if (answer?.kind === 'over') return <CorrectionEnd word={answer.why} />;
  if (!open) return <CorrectionEnd word={why ?? 'over'} />;
  const [first = ''] = open.fields;
  const unchanged = { name: first, message: t('page.unchanged') };
  return (
    <NarrowPage>
      <FormHead
        problems={answer?.kind === 'unchanged' ? [unchanged] : errors.summary}
        title={`${t('page.title')} · Lale`}
      />
      <PageHead lead={t('page.lead')} title={t('page.title')} />
      <Whose open={open} />
      <Notice title={t('page.note')} tone="amber">
        <p className="whitespace-pre-line" dir="auto">
          {open.note}
        </p>
      </Notice>
      <Form
        className="mt-8"
        encType={takesFiles ? 'multipart/form-data' : undefined}
        id={ANSWERS_FORM}
        method="post"
        noValidate
      >
        <div className="form-fields">{children({ ...errors, typed }, open.fields)}</div>
        <FormActions>
          <Button arrow type="submit">
            {t('page.send')}
          </Button>
        </FormActions>
      </Form>
    </NarrowPage>
  );
}

/** Which application it is, whose, until when, and what happens to the trip. */
function Whose({ open }: { open: NonNullable<CorrectionPageData<string>['open']> }) {
  const { t } = useTranslation('correction');
  const { t: application } = useTranslation('application');
  const language = useLanguage();
  const moment = useDeadlines()(open.answerBy, 'long');
  const [by, ...rest] = deadlineWords(t, language, { ...open, moment });
  return (
    <div className="mb-6">
      <p className="text-ink-2">
        {application('fact.number')}
        {colonIn(language)} <NumberCode value={open.number} /> · <bdi>{open.name}</bdi>
      </p>
      <p className="mt-2 font-semibold">{by}</p>
      <p>{rest.join(' ')}</p>
    </div>
  );
}

/** Answered now, answered before, or expired: each says what happens next. */
function CorrectionEnd({ word }: { word: 'done' | CorrectionOver }) {
  const { t } = useTranslation('correction');
  const title = t(`page.${word}Title`);
  return (
    <NarrowPage>
      <title>{`${title} · Lale`}</title>
      <PageHead lead={t(`page.${word}Lead`)} title={title} />
      {/* An empty form for the language switch, which submits the form of that id. */}
      <form hidden id={ANSWERS_FORM} method="post" />
      <FormActions>
        <ButtonLink arrow to="/status">
          {t('page.status')}
        </ButtonLink>
      </FormActions>
    </NarrowPage>
  );
}
