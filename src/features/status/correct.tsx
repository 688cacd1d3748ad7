import { data } from 'react-router';
import { languageColon } from '~/base/languages.ts';
import { deadlineWords } from '~/features/application/correction/correction.ts';
import { fullName } from '~/features/application/full-name.ts';
import type { PhoneCodes } from '~/features/application/phone-codes.ts';
import { phoneCodesByLanguage } from '~/features/application/read-phone.server.ts';
import type { Application } from '~/features/application/store.server.ts';
import type { CorrectionOver } from '~/features/application/reopened.server.ts';
import type { AnswerProblem } from '~/features/form/answers/check.ts';
import type { TypedAnswers } from '~/features/form/answers/controls.ts';
import type { DraftFile } from '~/features/form/draft/draft-content.ts';
import { NameQuestions, PhoneQuestion } from '~/features/form/page/person-questions.tsx';
import { Question } from '~/features/form/page/question.tsx';
import { useFieldErrors, type FieldErrors } from '~/features/form/page/use-field-errors.tsx';
import { formPhotos } from '~/features/insurance/form/draft-photos.server.ts';
import { PhotoField, PhotoList } from '~/features/insurance/form/photos.tsx';
import { insuranceForm } from '~/features/insurance/rules/typed.ts';
import { NameLines } from '~/features/visa/parts/name-lines.tsx';
import { UNLIMITED, visaForm } from '~/features/visa/rules/typed.ts';
import {
  addressContext,
  languageContext,
  platformContext,
  PRIVATE_PAGE,
} from '~/platform/http/request.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { ANSWERS_FORM, answersHandle } from '~/ui/answers-form.ts';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { FormHead } from '~/ui/fields/error-summary.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { FormActions, NarrowPage, PageHead } from '~/ui/layout.tsx';
import { useDeadlines } from '~/ui/moment.tsx';
import { Notice } from '~/ui/notice.tsx';
import { Form } from '~/ui/page/form.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { correct, openCorrection, reopenedForms } from './correct.server.ts';
import type { Route } from './+types/correct.ts';

export const handle = answersHandle;

/** The address contains the token. */
export const headers = () => PRIVATE_PAGE;

/** What the page of a correction is shown from: the reopened fields, or why there are none. */
type CorrectionPageData =
  | {
      open: {
        kind: Application['kind'];
        fields: readonly string[];
        note: string;
        /** Whose application it is, and until when it may be corrected. */
        number: string;
        name: string;
        startsOn: string;
        answerBy: Date;
        keepsStart: boolean;
        typed: TypedAnswers;
        /** For the country beside a phone number; null where that is not asked. */
        phone: { codes: PhoneCodes; nationality: string } | null;
        /** The photos that have arrived; they are never shown again. */
        files: readonly DraftFile[];
      };
      why: null;
    }
  | { open: null; why: CorrectionOver };

/**
 * The HTTP status of a link that no longer opens the form. After an answer it is 200, because a reload shows the
 * thank-you page again.
 */
const overStatus = { answered: 200, over: 410 } as const;

const statuses = { done: 200, typed: 200, problems: 422, unchanged: 422 } as const;

export async function loader({ params, context }: Route.LoaderArgs) {
  const platform = context.get(platformContext);
  const opened = await openCorrection(platform, params.token);
  if (!opened.ok) {
    const page: CorrectionPageData = { open: null, why: opened.error };
    return data(page, { status: overStatus[opened.error] });
  }
  const { correction, fields, application, stored } = opened.value;
  const { number, kind, startsOn, countryCode: nationality } = application;
  const { note, answerBy, keepsStart } = correction;
  const codes = phoneCodesByLanguage(context.get(languageContext));
  const page: CorrectionPageData = {
    open: {
      kind,
      fields,
      note,
      number,
      name: fullName(application),
      startsOn,
      answerBy,
      keepsStart,
      typed: reopenedForms[kind].typedOf(stored, fields),
      phone: fields.includes('phone') ? { codes, nationality } : null,
      files:
        kind === 'insurance'
          ? await formPhotos(platform, { id: correction.id, changing: null })
          : [],
    },
    why: null,
  };
  return data(page);
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const form = await readForm({ request, context });
  const address = context.get(addressContext);
  const answer = await correct(context.get(platformContext), params.token, form, address);
  const status = answer.kind === 'over' ? overStatus[answer.why] : statuses[answer.kind];
  return data(answer, { status });
}

const correctedForms = { visa: visaForm, insurance: insuranceForm } as const;
const none: readonly AnswerProblem[] = [];

/** The note of staff with the controls of the reopened fields, or a note that the link has ended. */
function CorrectPage({ loaderData: { open, why }, actionData: answer }: Route.ComponentProps) {
  const { t } = useTranslation('correction');
  const typed = (answer && 'typed' in answer ? answer.typed : open?.typed) ?? {};
  const problems = answer?.kind === 'problems' ? answer.problems : none;
  const errors = useFieldErrors<string>(correctedForms[open?.kind ?? 'visa'], typed, problems);
  if (answer?.kind === 'done') return <CorrectionEnd number={answer.number} word="done" />;
  if (answer?.kind === 'over') return <CorrectionEnd word={answer.why} />;
  if (!open) return <CorrectionEnd word={why} />;
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
        encType={open.kind === 'insurance' ? 'multipart/form-data' : undefined}
        id={ANSWERS_FORM}
        method="post"
        noValidate
      >
        <div className="form-fields">
          {open.fields.map((field) => (
            <Reopened
              answer={answer}
              field={field}
              form={{ ...errors, typed }}
              key={field}
              open={open}
            />
          ))}
        </div>
        <FormActions>
          <Button arrow type="submit">
            {t('page.send')}
          </Button>
        </FormActions>
      </Form>
    </NarrowPage>
  );
}

export { CorrectPage as default };

type Open = NonNullable<CorrectionPageData['open']>;

const isName = (field: string) => field === 'firstName' || field === 'lastName';

/** The controls of one field, with what belongs beside it. */
function Reopened({
  field,
  form,
  open: { kind, fields, phone, files },
  answer,
}: {
  field: string;
  form: FieldErrors<string> & { typed: TypedAnswers };
  open: Open;
  answer: object | undefined;
}) {
  const { t } = useTranslation(['visa', 'insurance']);
  if (field === 'parentIdPhotos') {
    return (
      <>
        <PhotoList photos={files} />
        <PhotoField
          error={form.errorAt(field)}
          // Made anew once its photos are stored.
          key={files.map(({ id }) => id).join()}
          refused={answer}
        />
      </>
    );
  }
  if (field === 'phone' && phone) {
    return <PhoneQuestion {...phone} form={form} />;
  }
  if (isName(field)) {
    // Where both names are reopened they stand together, at the last name's place, with the box for a passport with one
    // name.
    const areBoth = fields.filter(isName).length === 2;
    return (
      <>
        {!areBoth ? <Question field={field} form={form} width="full" /> : null}
        {areBoth && field === 'lastName' ? <NameQuestions form={form} /> : null}
        {kind === 'visa' && field === fields.findLast(isName) ? <NameLines form={form} /> : null}
      </>
    );
  }
  return (
    <>
      <Question field={field} form={form} width="full" />
      {field === 'supportingDocumentEndDate' ? (
        <CheckBox
          defaultChecked={form.start[UNLIMITED] === 'yes'}
          hint={t('supporting_document.unlimitedHint')}
          label={t('labels.supportingDocumentUnlimited')}
          name={UNLIMITED}
        />
      ) : null}
    </>
  );
}

/** Which application it is, whose, until when, and what happens to the trip. */
function Whose({ open }: { open: Open }) {
  const { t, language } = useTranslation('correction');
  const { t: application } = useTranslation('application');
  const moment = useDeadlines()(open.answerBy, 'long');
  const [by, ...rest] = deadlineWords(t, language, { ...open, moment });
  return (
    <div className="mb-6">
      <p className="text-ink-2">
        {application('fact.number')}
        {languageColon(language)} <NumberCode value={open.number} /> · <bdi>{open.name}</bdi>
      </p>
      <p className="mt-2 font-semibold">{by}</p>
      <p>{rest.join(' ')}</p>
    </div>
  );
}

/** Answered now, answered before, or expired: each says what happens next. `number`: whose status it leads to. */
function CorrectionEnd({ word, number }: { word: 'done' | CorrectionOver; number?: string }) {
  const { t } = useTranslation('correction');
  const title = t(`page.${word}Title`);
  return (
    <NarrowPage>
      <title>{`${title} · Lale`}</title>
      <PageHead lead={t(`page.${word}Lead`)} title={title} />
      {/* An empty form for the language switch, which submits the form of that id. */}
      <form hidden id={ANSWERS_FORM} method="post" />
      <FormActions>
        <ButtonLink arrow to={number ? `/status?ref=${number}` : '/status'}>
          {t('page.status')}
        </ButtonLink>
      </FormActions>
    </NarrowPage>
  );
}
