import {
  ReasonField,
  ReasonWords,
  ReopenedFields,
  CorrectionNote,
} from '../application/decision-fields.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useClock } from '~/ui/use-now.tsx';
import type { GroupView, TravellerView } from './open-group.server.ts';
import { SideBySide, GROUP_FORM } from './side-by-side.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { Notice } from '~/ui/notice.tsx';
import { useErrorText } from '../application/error-text.tsx';
import type { GroupAnswer, TravellerDraft } from './decide-several.server.ts';
import { SeveralOutcomes } from './several-outcomes.tsx';
import { Fragment, useEffect, useRef } from 'react';
import { Form, useNavigation } from 'react-router';
import { Button } from '~/ui/button.tsx';
import { BODY_LIMIT_MEGABYTES } from '~/platform/input/body-limit.ts';
import { correctableByKind } from '../application/case-actions.ts';
import { MAX_PDF_MEGABYTES } from '../application/pdf-rules.ts';

/** Scripts upload each PDF by itself; without them all go in one form, beside what else it sends. */
const PDFS_AT_ONCE_MEGABYTES = BODY_LIMIT_MEGABYTES - 1;

/** What can be done for the chosen travellers at once. Nothing where all are decided. */
function GroupDecision({
  travellers,
  answer,
}: {
  travellers: readonly TravellerView[];
  answer: GroupAnswer | null;
}) {
  const { t } = useTranslation(['decision', 'desk']);
  const navigation = useNavigation();
  const open = travellers.filter(({ may }) => may.reject);
  if (open.length === 0) return null;
  const mayApprove = open.some(({ may }) => may.approve);
  // What was typed stays until it is done for all of them: something was refused, or waits to be sent.
  const isLeft =
    answer &&
    (answer.error || answer.drafts.length > 0 || answer.outcomes.some((one) => 'error' in one));
  const left = isLeft ? answer.action : null;
  const busy = navigation.state === 'submitting' ? navigation.formData?.get('intent') : null;
  return (
    <Form
      className="mt-4 grid max-w-[640px] grid-cols-1 gap-3"
      encType="multipart/form-data"
      // Made anew with each answer: fields take what was typed, or nothing, only as they are made.
      key={[
        ...(answer?.outcomes ?? []).map((one) => `${one.id} ${'done' in one}`),
        ...(answer?.drafts ?? []).map(({ id }) => id),
      ].join()}
      id={GROUP_FORM}
      method="post"
      preventScrollReset
    >
      {/* The first button is the one that the return key presses: it decides nothing. */}
      <button aria-hidden className="hidden" name="intent" tabIndex={-1} value="choose" />
      <h3 className="text-base">{t('group.decide')}</h3>
      {mayApprove ? (
        <>
          <p className="text-ink-2" id="approve-hint">
            {t('group.approveHint')}
          </p>
          {open.length * MAX_PDF_MEGABYTES > PDFS_AT_ONCE_MEGABYTES ? (
            <noscript>
              <p className="text-ink-2">
                {t('group.pdfsAtOnce', { megabytes: PDFS_AT_ONCE_MEGABYTES })}
              </p>
            </noscript>
          ) : null}
          <Button
            aria-describedby="approve-hint"
            busy={busy === 'approve_chosen'}
            name="intent"
            small
            value="approve_chosen"
          >
            {t('group.approve')}
          </Button>
        </>
      ) : (
        <p className="text-ink-2">{t('group.unpaid')}</p>
      )}
      <RejectTogether busy={busy === 'reject_chosen'} typed={left === 'reject' ? answer : null} />
      {open.some(({ may }) => may.correction) ? (
        <CorrectTogether
          busy={busy === 'correct_chosen'}
          travellers={open}
          typed={left === 'correction' ? answer : null}
        />
      ) : null}
    </Form>
  );
}

function RejectTogether({ typed, busy }: { typed: GroupAnswer | null; busy: boolean }) {
  const { t } = useTranslation('decision');
  return (
    <details className="desk-more" open={typed !== null || undefined}>
      <summary>{t('group.reject')}</summary>
      <div className="grid grid-cols-1 gap-3.5 py-2">
        <p className="text-ink-2">{t('group.rejectHint')}</p>
        <ReasonField defaultValue={typed?.typed.code} hint={t('group.reasonHint')} kind="visa" />
        <ReasonWords defaultValue={typed?.typed.text} rows={3} />
        <Button busy={busy} look="danger" name="intent" small value="reject_chosen">
          {t('group.rejectSend')}
        </Button>
      </div>
    </details>
  );
}

function CorrectTogether({
  travellers,
  typed,
  busy,
}: {
  travellers: readonly TravellerView[];
  typed: GroupAnswer | null;
  busy: boolean;
}) {
  const { t } = useTranslation(['decision', 'desk']);
  // What any of them can correct; of each one only what there is.
  const fields = new Set(
    travellers.flatMap(({ visa: { visa } }) =>
      correctableByKind(
        'visa',
        visa?.supportingDocument ? { issuer: visa.supportingDocument.issuerCode } : null,
      ),
    ),
  );
  return (
    <details className="desk-more" open={typed !== null || undefined}>
      <summary>{t('group.correct')}</summary>
      <div className="grid grid-cols-1 gap-3.5 py-2">
        <p className="text-ink-2">{t('desk:correction.lead')}</p>
        <fieldset>
          <legend className="mb-1 font-semibold">{t('desk:correction.fields')}</legend>
          <ReopenedFields fields={[...fields]} kind="visa" ticked={typed?.typed.fields} />
        </fieldset>
        <CorrectionNote defaultValue={typed?.typed.text} hint={t('group.noteHint')} rows={3} />
        <Button busy={busy} look="secondary" name="intent" small value="correct_chosen">
          {t('group.correctSend')}
        </Button>
      </div>
    </details>
  );
}

/** The travellers of an order beside one another, and what is decided for several of them at once. */
export function GroupSection({
  loaded,
  latest,
  answer,
  madeAt,
}: {
  /** As the page was loaded: what its forms were made from, so that a decision names what was seen. */
  loaded: GroupView;
  /** As they are now. */
  latest: GroupView;
  /** To what was just sent. */
  answer: GroupAnswer | null;
  madeAt: number;
}) {
  const { t } = useTranslation('decision');
  const { travellers } = loaded;
  const now = useClock(madeAt);
  return (
    <section className="mt-5 scroll-mt-2" id="group">
      <h2 id="travellers">{t('group.title', { count: travellers.length })}</h2>
      {answer ? <GroupOutcomes answer={answer} /> : null}
      {answer && answer.drafts.length > 0 ? (
        <GroupPreview drafts={answer.drafts} key={answer.drafts.map(({ id }) => id).join()} />
      ) : null}
      <SideBySide
        chosen={answer && chosenAfter(answer)}
        latest={latest.travellers}
        now={now}
        travellers={travellers}
      />
      <GroupDecision answer={answer} travellers={travellers} />
    </section>
  );
}

/**
 * Whom the page selects after an answer: those who were selected, less those for whom it is done; null for everybody
 * that is left, where it is done for all.
 */
function chosenAfter({ chosen, outcomes }: GroupAnswer): readonly string[] | null {
  const done = outcomes.flatMap((one) => ('done' in one ? one.id : []));
  const isAllDone = outcomes.length > 0 && done.length === outcomes.length;
  return isAllDone ? null : chosen.filter((number) => !done.includes(number));
}

/** What became of each of the chosen travellers, or why nothing was done for anybody. */
function GroupOutcomes({ answer }: { answer: GroupAnswer }) {
  const { t } = useTranslation(['decision', 'desk']);
  const { error, outcomes } = answer;
  const text = useErrorText(error && error.code !== 'none_chosen' ? error : null);
  if (error) {
    return (
      <Notice className="mt-3" role="alert" title={t('desk:error.title')} tone="red">
        {error.code === 'none_chosen' ? t('group.noneChosen') : text}
      </Notice>
    );
  }
  const isAllDone = outcomes.every((one) => 'done' in one);
  return (
    <SeveralOutcomes
      outcomes={outcomes}
      title={t(isAllDone ? 'group.allDone' : 'group.notAllDone')}
    />
  );
}

/** What each traveller will get, and the button that sends all of it. */
function GroupPreview({ drafts }: { drafts: readonly TravellerDraft[] }) {
  const { t } = useTranslation('decision');
  const navigation = useNavigation();
  const head = useRef<HTMLHeadingElement>(null);
  // The page stays where it is; who decides is led to what to look at.
  useEffect(() => head.current?.focus(), []);
  const [first] = drafts;
  if (!first) return null;
  const busy =
    navigation.state === 'submitting' && navigation.formData?.get('intent') === 'send_chosen';
  return (
    <section
      aria-labelledby="group-preview"
      className="mt-3 rounded-card border border-line-2 bg-paper p-4"
    >
      <h3 className="text-base" id="group-preview" ref={head} tabIndex={-1}>
        {t(`group.preview.${first.kind}`, { count: drafts.length })}
      </h3>
      <p className="text-ink-2">{t('group.preview.lead')}</p>
      <ul className="mt-3 grid gap-3">
        {drafts.map(({ id, number, name, to, language, subject }) => (
          <li className="grid gap-0.5 border-t border-line pt-2 wrap-anywhere" key={id}>
            <p>
              <bdi className="font-semibold">{name}</bdi>{' '}
              <span className="text-fine">
                <NumberCode value={number} />
              </span>
            </p>
            <dl className="grid grid-cols-[minmax(4rem,auto)_minmax(0,1fr)] justify-start gap-x-3 [&_dt]:text-ink-2">
              <dt>{t('preview.to')}</dt>
              <dd>
                <bdi dir="ltr">{to}</bdi>
              </dd>
              <dt>{t('preview.subject')}</dt>
              <dd>
                <bdi lang={language}>{subject}</bdi>
              </dd>
            </dl>
            <p>
              {/* A document of its own: only its policy lets it frame the email and the PDF. */}
              <a
                className="desk-link"
                href={`/admin/applications/${number}/decision/${id}`}
                rel="noopener"
                target="_blank"
              >
                {t(first.kind === 'approve' ? 'group.preview.openBoth' : 'group.preview.open', {
                  name,
                })}
              </a>
            </p>
          </li>
        ))}
      </ul>
      <Form
        className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2"
        method="post"
        preventScrollReset
      >
        {drafts.map(({ id, number, seen }) => (
          <Fragment key={id}>
            <input name={`draft-${number}`} type="hidden" value={id} />
            <input name={`seen-${number}`} type="hidden" value={seen} />
          </Fragment>
        ))}
        <Button
          busy={busy}
          look={first.kind === 'reject' ? 'danger' : 'primary'}
          name="intent"
          small
          value="send_chosen"
        >
          {t(`group.preview.send.${first.kind}`, { count: drafts.length })}
        </Button>
        <p className="text-ink-2">{t(`preview.final.${first.kind}`)}</p>
      </Form>
    </section>
  );
}
