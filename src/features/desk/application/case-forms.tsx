import { ReasonField, ReasonWords, ReopenedFields, CorrectionNote } from './decision-fields.tsx';
import { useEffect, useState, type ComponentProps } from 'react';
import { Form, useLocation, useNavigate, useNavigation } from 'react-router';
import { formatMoment, UTC, formatDateShort, parseDate } from '~/base/dates/dates.ts';
import { fullName } from '~/features/application/full-name.ts';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { Dialog } from '~/ui/dialog.tsx';
import { Link } from '~/ui/page/link.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { BlockNotice, blockedProps } from '../frame/announcer.tsx';
import { formatLanguage } from '../frame/formats.ts';
import { listQuery } from '../queue/list-filter.ts';
import { LiveNotice, useLive } from '../frame/use-signals.tsx';
import { PanelActions } from '../frame/panel.tsx';
import { toggleOfferedText, TemplatePreview } from '../settings/template-preview.tsx';
import {
  AUTHORITY_REFERENCE,
  type CaseAction,
  isActionOffered,
  REASON_CODE,
  CORRECTION_FIELDS,
  applicationCorrectable,
  keyOf,
} from './case-actions.ts';
import { useCase, useProblem } from './case.tsx';
import { MAX_REFERENCE_LENGTH } from './decision-types.ts';
import { Marked, markDiffering } from './differing.tsx';
import { FieldError } from '~/ui/fields/field.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import { Notice } from '~/ui/notice.tsx';
import type { ApplicationDetail } from './detail.server.ts';

/** Approve, start processing, reject; for a decided application the state of its email. */
export function DecisionActions() {
  const { t } = useTranslation('desk');
  const { forms: application, asked, block, viewer } = useCase();
  const { field } = useProblem('reject');
  const rejectAddress = useRejectAddress();
  const { decidedAt, status } = application;
  if (decidedAt) return <Outcome />;
  // Open until its reason is right.
  const isRejecting = asked === 'reject' || field !== null;
  return (
    <PanelActions>
      {isActionOffered('approve', application, viewer.role) ? (
        <ApproveForm />
      ) : (
        <p>{t('decide.unpaidNote')}</p>
      )}
      <div className="grid auto-cols-[minmax(0,1fr)] grid-flow-col gap-2.5">
        {isActionOffered('start_processing', application, viewer.role) ? (
          <Form id={HAND_IN} method="post" preventScrollReset>
            <input name="seen" type="hidden" value={status} />
            <Button
              {...blockedProps(block)}
              id="start"
              look="secondary"
              name="intent"
              small
              value="start_processing"
              wide
            >
              {t('decide.start')}
            </Button>
          </Form>
        ) : null}
        <ButtonLink
          {...keyOf('reject')}
          id="reject"
          look="danger"
          preventScrollReset
          small
          to={rejectAddress}
          wide
        >
          {t('decide.reject')}
        </ButtonLink>
      </div>
      {isRejecting ? <RejectDialog /> : null}
    </PanelActions>
  );
}

/** The form that hands an application in. */
export const HAND_IN = 'hand-in';

/** The authority's own number. `form`: the id of the form that it belongs to, where it stands outside. */
function ReferenceField({ action, form }: { action: CaseAction; form?: string }) {
  const { forms, problem } = useCase();
  const { text } = useProblem(action);
  // Also what came when somebody had handed it in already.
  const typed = problem?.typed[AUTHORITY_REFERENCE] ?? forms.authorityReference ?? '';
  return <ReferenceInput {...keyOf(action)} defaultValue={typed} error={text} form={form} />;
}

export function ReferenceInput(field: Omit<ComponentProps<typeof TextField>, 'label' | 'name'>) {
  const { t } = useTranslation('desk');
  return (
    <TextField
      {...field}
      autoCapitalize="characters"
      autoComplete="off"
      label={t('authority.field')}
      latin
      maxLength={MAX_REFERENCE_LENGTH}
      mono
      name={AUTHORITY_REFERENCE}
      spellCheck={false}
    />
  );
}

/** When a visa application was handed in and under which number the authority keeps it; before, the field for it. */
export function AuthoritySection() {
  const { application, forms, block, holder, viewer } = useCase();
  const { problem } = useProblem('set_reference');
  const { t, language } = useTranslation('desk');
  const { authorityReference, events } = application;
  const isFree = block !== null || !holder?.name;
  const mayStart = isFree && isActionOffered('start_processing', forms, viewer.role);
  const maySet = isFree && isActionOffered('set_reference', forms, viewer.role);
  const handedIn = events.findLast(({ kind }) => kind === 'processing');
  if (application.kind !== 'visa' || (!mayStart && !handedIn && !authorityReference)) return null;
  return (
    <section className="desk-facts">
      <h3>{t('authority.title')}</h3>
      {mayStart ? <ReferenceField action="start_processing" form={HAND_IN} /> : null}
      {handedIn || authorityReference ? (
        <dl>
          {handedIn ? (
            <div>
              <dt>{t('authority.since')}</dt>
              <dd>{formatMoment(handedIn.at, language, UTC, 'dated')}</dd>
            </div>
          ) : null}
          <div>
            <dt>{t('authority.reference')}</dt>
            <dd>
              {authorityReference ? (
                <bdi className="mono" dir="ltr">
                  {authorityReference}
                </bdi>
              ) : (
                t('authority.none')
              )}
            </dd>
          </div>
        </dl>
      ) : null}
      {maySet ? (
        <details className="desk-more" open={problem !== null || undefined}>
          <summary>{t(authorityReference ? 'authority.correct' : 'authority.add')}</summary>
          <Form
            className="grid gap-2.5 pt-1 pb-3"
            // Another reference remounts the form, which then shows it; not while somebody is typing one.
            key={forms.authorityReference}
            method="post"
            preventScrollReset
          >
            <ReferenceField action="set_reference" />
            <Button
              {...blockedProps(block)}
              look="secondary"
              name="intent"
              small
              value="set_reference"
              wide
            >
              {t('authority.save')}
            </Button>
          </Form>
        </details>
      ) : null}
    </section>
  );
}

function useRejectAddress(): string {
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(search);
  query.delete('done');
  query.set('reject', '');
  return `${pathname}?${query}#reject-dialog`;
}

function useOwnAddress(): string {
  const { pathname, search } = useLocation();
  return `${pathname}${listQuery(search)}#application`;
}

/** A dialog also closes while it is made modal, which is no answer of the user. */
const isOpen = (id: string) => document.querySelector(`#${id}:modal`) !== null;

/** Leads to the preview, from which the email is sent. */
function ApproveForm() {
  const { forms, block } = useCase();
  const { t } = useTranslation('decision');
  const busy = useNavigation().formData?.get('intent') === 'approve';
  return (
    <Form encType="multipart/form-data" id="decide" method="post" preventScrollReset>
      <input name="intent" type="hidden" value="approve" />
      <input name="seen" type="hidden" value={forms.status} />
      <Button busy={busy} {...blockedProps(block)} {...keyOf('approve')} small wide>
        {t('approve')}
      </Button>
    </Form>
  );
}

function RejectDialog() {
  const { forms: application, block, draft, templates } = useCase();
  const { problem, text: errorText, field } = useProblem('reject');
  const reasonCode = problem?.typed[REASON_CODE] ?? draft?.code ?? '';
  const { t, language } = useTranslation(['desk', 'decision', 'rejection']);
  const [code, setCode] = useState(reasonCode);
  const template = templates.rejection[code];
  const isAboutChoice = field === REASON_CODE;
  const { state } = useNavigation();
  // The page's own summary of what is wrong lies behind the dialog.
  useEffect(() => {
    if (state === 'idle' && errorText)
      document.querySelector<HTMLElement>('#reject-form [aria-invalid]')?.focus();
  }, [state, errorText]);
  // The page says so, too, behind the dialog.
  const isSignedOut = useLive().problem === 'signed_out';
  const back = useOwnAddress();
  const navigate = useNavigate();
  const name = fullName(application);
  // Escape closes the dialog, so the address must change as well.
  const close = () =>
    isOpen('reject-dialog')
      ? undefined
      : navigate(back, { replace: true, preventScrollReset: true });
  return (
    <Dialog
      actions={
        <>
          <Button {...blockedProps(block)} form="reject-form" look="danger" small>
            {t('decision:reject.continue')}
          </Button>
          <Link className="button button-plain button-small" preventScrollReset to={back}>
            {t('decide.cancel')}
          </Link>
        </>
      }
      id="reject-dialog"
      onClose={() => void close()}
      title={t('decide.rejectTitle')}
    >
      {isSignedOut ? <LiveNotice /> : null}
      <BlockNotice block={block} />
      <p>
        {t(application.kind === 'visa' ? 'decide.rejectText' : 'decide.rejectInsurance', { name })}
      </p>
      <Form action={back} id="reject-form" method="post" preventScrollReset>
        <input name="intent" type="hidden" value="reject" />
        <input name="seen" type="hidden" value={application.status} />
        <ReasonField
          defaultValue={reasonCode}
          error={isAboutChoice ? errorText : null}
          hint={t('decision:reject.reasonHint', {
            language: formatLanguage(application.emailLanguage, language),
          })}
          kind={application.kind}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        {template ? <TemplatePreview chosen={[template]} templates={templates} /> : null}
        <ReasonWords
          defaultValue={problem?.typed.reason ?? draft?.reason ?? ''}
          error={isAboutChoice ? null : errorText}
          lang={application.emailLanguage}
          rows={4}
        />
      </Form>
    </Dialog>
  );
}

/** What was decided. The email's state is worded as in the list of emails. */
function Outcome() {
  const { forms, caseFile } = useCase();
  const { decidedAt, mailSentAt, status } = forms;
  const { t, language } = useTranslation('desk');
  if (!decidedAt) return null;
  const write = (at: Date) => formatMoment(at, language, UTC, 'dated');
  const email = caseFile.emails.find(({ kind, resentBy }) => kind === status && resentBy === null);
  const sentAt = email ? (email.state === 'sent' ? email.at : null) : mailSentAt;
  const moment = write(decidedAt);
  return (
    <PanelActions>
      <p>
        {sentAt
          ? t('decide.finalSent', { moment, sent: write(sentAt) })
          : t(email?.state === 'failed' ? 'decide.finalFailed' : 'decide.finalWaiting', {
              moment,
            })}
      </p>
    </PanelActions>
  );
}

type Corrected = {
  kind: ApplicationDetail['kind'];
  correction: ApplicationDetail['corrections'][number];
};

/** What a traveller corrected, before and after. */
function CorrectionChanges({ kind, correction }: Corrected) {
  const { t, language } = useTranslation('decision');
  const { answeredAt } = correction;
  if (!answeredAt) return null;
  return (
    <section className="desk-facts">
      <h3>
        {t('correction.changed', { moment: formatMoment(answeredAt, language, UTC, 'dated') })}
      </h3>
      <ChangedAnswers correction={correction} kind={kind} />
    </section>
  );
}

/** Each answer that was changed, before and after, with the characters marked that differ. */
function ChangedAnswers({ kind, correction: { changes } }: Corrected) {
  const { t, language } = useTranslation(['decision', 'visa', 'insurance', 'desk']);
  const shown = (value: string) => {
    if (value === '') return '–';
    if (value === 'unlimited') return t('desk:detail.unlimited');
    const day = parseDate(value);
    return day ? formatDateShort(day, language) : value;
  };
  if (changes.length === 0) return <p className="text-ink-2">{t('correction.nothing')}</p>;
  return (
    <dl>
      {changes.map(({ field, before, after }) => {
        const look = field.endsWith('Number') ? 'mono' : undefined;
        const [old, now] = markDiffering(shown(before), shown(after));
        return (
          <div key={field}>
            <dt>{t(`${kind}:labels.${field}`, field)}</dt>
            <dd>
              <del className="text-ink-2 no-underline">
                <span className={BESIDE}>{t('correction.before')} </span>
                <bdi className={look}>
                  <Marked parts={old} />
                </bdi>
              </del>
              <ins className="block font-semibold no-underline">
                <span className={BESIDE}>{t('correction.after')} </span>
                <bdi className={look}>
                  <Marked parts={now} />
                </bdi>
              </ins>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

const BESIDE = 'text-fine font-normal text-ink-2';

/** For a paid, undecided application: what the traveller changed, what they were asked for, and the form to ask. */
export function CorrectionSection() {
  const { forms: application, viewer } = useCase();
  const { decidedAt, pausedAt, corrections, kind } = application;
  // What waits to be checked stands on top of the panel.
  const answered = corrections.filter(
    ({ answeredAt, checkedAt }) => answeredAt && (checkedAt || decidedAt || pausedAt),
  );
  return (
    <>
      {answered.map((one) => (
        <CorrectionChanges correction={one} key={one.id} kind={kind} />
      ))}
      {isActionOffered('correction', application, viewer.role) ? <Request /> : null}
    </>
  );
}

/** The traveller has corrected answers that nobody has checked yet. */
export function CorrectedNotice() {
  const { t, language } = useTranslation('decision');
  const { application, holder, viewer } = useCase();
  const { corrections, kind, pausedAt } = application;
  const unchecked = corrections.filter(({ answeredAt, checkedAt }) => answeredAt && !checkedAt);
  const answer = unchecked[0]?.answeredAt;
  if (!answer || application.decidedAt || pausedAt) return null;
  return (
    <Notice
      title={t('correction.corrected', { moment: formatMoment(answer, language, UTC, 'dated') })}
      tone="amber"
    >
      <div className="desk-facts">
        {unchecked.map((one) => (
          <ChangedAnswers correction={one} key={one.id} kind={kind} />
        ))}
      </div>
      {!holder?.name && isActionOffered('checked', application, viewer.role) ? (
        <Form method="post" preventScrollReset>
          <button {...keyOf('checked')} className="link-button" name="intent" value="checked">
            {t('correction.checked')}
          </button>
        </Form>
      ) : null}
    </Notice>
  );
}

function Request() {
  const { forms: application, block, holder } = useCase();
  const { pausedAt, corrections } = application;
  const [latest] = corrections;
  const open = corrections.find((one) => !one.answeredAt && !one.closedAt);
  if (pausedAt && open) return <Waiting mayAct={!holder?.name && !block} open={open} />;
  return (
    <>
      {latest?.expiredAt ? <NoAnswer at={latest.expiredAt} /> : null}
      {block !== null || !holder?.name ? <AskForm /> : null}
    </>
  );
}

function NoAnswer({ at }: { at: Date }) {
  const { t, language } = useTranslation('decision');
  const moment = formatMoment(at, language, UTC, 'dated');
  return (
    <Notice title={t('correction.noAnswer')} tone="amber">
      <p>{t('correction.noAnswerSince', { moment })}</p>
    </Notice>
  );
}

function Waiting({
  open,
  mayAct,
}: {
  open: ApplicationDetail['corrections'][number];
  mayAct: boolean;
}) {
  const { kind, emailLanguage } = useCase().forms;
  const { t, language } = useTranslation(['desk', 'decision', 'visa', 'insurance']);
  const moment = (at: Date) => formatMoment(at, language, UTC, 'dated');
  return (
    <Notice title={t('correction.waiting', { moment: moment(open.askedAt) })} tone="amber">
      <p>{open.fields.map((field) => t(`${kind}:labels.${field}`, field)).join(' · ')}</p>
      <p className="whitespace-pre-line text-ink" dir="auto" lang={emailLanguage}>
        {open.note}
      </p>
      <p>{t('correction.paused')}</p>
      <p>
        {t(open.remindedAt ? 'decision:correction.reminded' : 'decision:correction.until', {
          moment: moment(open.answerBy),
        })}
      </p>
      {mayAct ? (
        <Form method="post" preventScrollReset>
          <button {...keyOf('withdraw')} className="link-button" name="intent" value="withdraw">
            {t('correction.withdraw')}
          </button>
        </Form>
      ) : null}
    </Notice>
  );
}

function AskForm() {
  const { forms: application, block, templates } = useCase();
  const { problem, text, field } = useProblem('correction');
  const { t } = useTranslation(['desk', 'visa', 'insurance']);
  const { kind } = application;
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const textOf = (name: string) => templates.correction[name];
  const tick = (field: string, { checked, form }: HTMLInputElement) => {
    setTicked((before) => [...before.filter((one) => one !== field), ...(checked ? [field] : [])]);
    const text = textOf(field)?.sent;
    const area = form?.elements.namedItem('note');
    if (text !== undefined && area instanceof HTMLTextAreaElement) {
      area.value = toggleOfferedText(area.value, text, checked);
    }
  };
  return (
    <details className="desk-facts desk-more" id="correction" open={problem !== null || undefined}>
      <summary {...keyOf('correction')}>{t('correction.title')}</summary>
      <Form className="grid grid-cols-1 gap-3.5" method="post" preventScrollReset>
        <p className="text-ink-2">{t('correction.lead')}</p>
        <fieldset>
          <legend className="mb-1 font-semibold">{t('correction.fields')}</legend>
          <FieldError error={field === CORRECTION_FIELDS ? text : null} name={CORRECTION_FIELDS} />
          <ReopenedFields
            fields={applicationCorrectable(application)}
            firstId={CORRECTION_FIELDS}
            kind={kind}
            onTick={tick}
          />
        </fieldset>
        <CorrectionNote
          defaultValue={problem?.typed.note}
          error={field === 'note' ? text : null}
          hint={t('correction.noteHint')}
          lang={application.emailLanguage}
          rows={4}
        />
        {templates.isForeign ? (
          <TemplatePreview
            chosen={ticked.flatMap((field) => textOf(field) ?? [])}
            templates={templates}
          />
        ) : null}
        <BlockNotice block={block} />
        <Button
          {...blockedProps(block)}
          look="secondary"
          name="intent"
          small
          value="correction"
          wide
        >
          {t('correction.send')}
        </Button>
      </Form>
    </details>
  );
}
