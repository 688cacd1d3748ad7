import { Trans, useTranslation } from '~/ui/texts/texts.tsx';
import { toPlainDate, formatDate, UTC, type PlainDate, parseDate } from '~/base/dates/dates.ts';
import { add, formatMoney } from '~/base/money.ts';
import type { Translate } from '~/base/read-text.ts';
import type { CodeIn, TextKey } from '~/base/text-keys.ts';
import { Moment, useDeadlines } from '~/ui/moment.tsx';
import { Notice } from '~/ui/notice.tsx';
import { Link } from '~/ui/page/link.tsx';
import { SkippedDays } from '~/features/application/closed-days.tsx';
import { skippedClosedDays } from '~/features/application/skipped-days.ts';
import { entryRule } from '~/features/application/entry-rule.ts';
import { hasRejectionReason } from '~/features/application/rejection.ts';
import { RejectionText } from './rejection-text.tsx';
import {
  isWithdrawn,
  type ShownStatus,
  punctuality,
  type StatusView,
  visibleStatus,
  documentKind,
  type AskedEmail,
  type RefusedDate,
} from './status-view.ts';
import { SupportLine, CalendarLink, PayBox, Stages, StatusTags } from './status-parts.tsx';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { Form } from '~/ui/page/form.tsx';
import { Panel, Facts } from '~/ui/card.tsx';
import { BoughtCovers, type CoverView } from '~/features/application/cover-table.tsx';
import type { ProviderName } from '~/base/payment-providers.ts';
import type { CancellationNow } from './cancel.server.ts';
import { deadlineWords } from '~/features/application/correction/correction.ts';
import { BirthDateForm } from './birth-date-form.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { fullName } from '~/features/application/full-name.ts';

/** What the status means, in a heading and two or three sentences. */
function StatusText({
  view,
  enterBy,
  shownStatus,
  supportEmail,
}: {
  view: StatusView;
  /** The last day to enter Türkiye, where that is limited. */
  enterBy: PlainDate | null;
  shownStatus: ShownStatus;
  supportEmail: string;
}) {
  const { t, language } = useTranslation('application');
  const { promisedAt } = view;
  const isWaiting = shownStatus === 'pending' || shownStatus === 'processing';
  return (
    <>
      <h2 className="mt-3">{t(`heading.${headingOf(view, shownStatus)}`)}</h2>
      <div className="mt-2 text-ink-2 [&_strong]:text-ink">
        {isWaiting && promisedAt ? (
          <p>
            <Trans
              components={{
                promise: <Moment at={promisedAt} />,
                moment: <Moment at={promisedAt} />,
              }}
              i18nKey={
                view.isMissed
                  ? 'late.waiting'
                  : view.kind === 'insurance'
                    ? 'text.readyInsurance'
                    : 'text.ready'
              }
              t={t}
            />
          </p>
        ) : null}
        {view.isMissed && view.kind === 'visa' ? (
          <p className="max-w-[500px]" data-testid="processing-refund">
            {t('late.refund')}
          </p>
        ) : null}
        <div className="mt-2 max-w-[500px]">
          <Sentences enterBy={enterBy} shownStatus={shownStatus} view={view} />
          {enterBy !== null && (isWaiting || shownStatus === 'approved') ? (
            <p className="mt-2">{entryRule(t, language, enterBy)}</p>
          ) : null}
        </div>
      </div>
      <SkippedDays className="mt-5" days={skippedClosedDays([view])} />
      {view.rejection &&
      hasRejectionReason(view.rejection) &&
      shownStatus === 'rejected' &&
      !isWithdrawn(view) ? (
        <Notice className="mt-5" title={t('text.reason')} tone="red">
          <RejectionText rejection={view.rejection} />
        </Notice>
      ) : null}
      {shownStatus === 'rejected' ? <MoneyBack view={view} /> : null}
      {shownStatus === 'rejected' ? <SupportLine email={supportEmail} /> : null}
    </>
  );
}

/**
 * Who decided, what is refunded and why. A rejected insurance is refunded automatically; for a withdrawn application it
 * depends on the time of the withdrawal, and the page says how much elsewhere.
 */
function MoneyBack({ view: { kind, paymentStatus, rejectedBy, returned } }: { view: StatusView }) {
  const { t, language } = useTranslation('application');
  if (paymentStatus !== 'completed' || rejectedBy === 'traveller') return null;
  if (kind === 'insurance') return <p className="mt-4">{t('text.rejectedRefundInsurance')}</p>;
  const total = add(returned.done, returned.coming);
  const isOurs = rejectedBy === 'team';
  const nothing = isOurs ? 'text.rejectedNothingTeam' : 'text.rejectedNothingAuthorities';
  return (
    <>
      <p className="mt-4">{t(isOurs ? 'text.rejectedByTeam' : 'text.rejectedByAuthorities')}</p>
      <p className="mt-2">
        <Trans
          components={{ refund: <Link to="/refund" /> }}
          i18nKey={total.minor > 0 ? 'text.rejectedBack' : nothing}
          t={t}
          values={{ amount: formatMoney(total, language) }}
        />
      </p>
    </>
  );
}

function headingOf(view: StatusView, shownStatus: ShownStatus): CodeIn<'application', 'heading'> {
  if (isWithdrawn(view)) return 'withdrawn';
  if (shownStatus !== 'approved') return shownStatus;
  const insurance = view.kind === 'insurance' ? 'Insurance' : '';
  return `approved${insurance}${view.document ? '' : 'WithoutFile'}`;
}

function Sentences({
  view,
  enterBy,
  shownStatus,
}: {
  view: StatusView;
  enterBy: PlainDate | null;
  shownStatus: ShownStatus;
}) {
  const { t, language } = useTranslation('application');
  const endedAt = view.cancelledAt ?? view.decidedAt;
  const date = endedAt ? formatDate(toPlainDate(endedAt, UTC), language) : '';
  // The correction notice below says what to do.
  if (shownStatus === 'correcting') return null;
  if (isWithdrawn(view)) return <p>{t('text.withdrawnOn', { date })}</p>;
  if (shownStatus === 'rejected') return <p>{t('text.rejectedOn', { date })}</p>;
  if (shownStatus === 'unpaid') {
    const sentences = {
      authorities: 'text.unpaid',
      reviewer: 'text.unpaidReviewed',
      service: 'text.unpaidInsurance',
    } as const;
    // The payer gets the emails about this payment.
    if (!view.due) return <p>{t('text.unpaidByPayer')}</p>;
    return (
      <>
        {view.paymentStatus === 'failed' ? <p>{t('text.failed')}</p> : null}
        <p>{t(sentences[view.decidedBy])}</p>
      </>
    );
  }
  if (shownStatus === 'confirming') {
    return <p>{t(view.awaited === 'held' ? 'confirming.held' : 'confirming.text')}</p>;
  }
  if (shownStatus === 'closed' && view.paymentStatus === 'completed') {
    return <p>{t('text.closedPaid')}</p>;
  }
  if (view.kind === 'insurance' && (shownStatus === 'pending' || shownStatus === 'processing')) {
    return <p>{t(`text.${shownStatus}Insurance`)}</p>;
  }
  if (shownStatus !== 'approved') return <p>{t(`text.${shownStatus}`)}</p>;
  const carry = view.kind === 'visa' ? t('text.carry') : t('text.carryInsurance');
  return (
    <>
      <p>
        {approvedSentence(view, date, t)} {view.document ? carry : t('text.documentFollows')}
      </p>
      {view.document && view.kind === 'visa' ? (
        <p className="mt-2">
          {enterBy === null ? null : `${t('text.carryDocument')} `}
          {t('text.carryPapers')}
        </p>
      ) : null}
    </>
  );
}

function approvedSentence(view: StatusView, date: string, t: Translate<'application'>): string {
  // Without the document the promise is not kept yet.
  const stands = punctuality(view.document ? view.decidedAt : null, view.promisedAt);
  if (stands.kind === 'days_early') return t('text.approvedEarly', { date, count: stands.days });
  return t(stands.kind === 'in_time' ? 'text.approvedInTime' : 'text.approvedOn', { date });
}

export function StatusCard({
  view,
  covers,
  enterBy,
  cancelNow,
  asksFor,
  refused,
  sent,
  supportEmail,
  otherWay,
}: {
  view: StatusView;
  /** The terms that the insurance was bought on. */
  covers: readonly CoverView[];
  /** The last day to enter Türkiye, where that is limited. */
  enterBy: PlainDate | null;
  /** What cancelling pays back, for the payer. */
  cancelNow: CancellationNow | null;
  /** What the traveller wants to download and is asked the date of birth for: the id of a receipt, or the document. */
  asksFor: string | null;
  /** The date of birth that was refused. */
  refused: RefusedDate | null;
  /** What was just sent by email. */
  sent: AskedEmail | null;
  supportEmail: string;
  /** The other way to pay. */
  otherWay: ProviderName | null;
}) {
  const { t } = useTranslation('application');
  const shownStatus = visibleStatus(view);
  const asksForReceipt = view.receipts.some(({ id }) => id === asksFor);
  return (
    <div className="mt-10 print:mt-4">
      <Panel
        side={
          <>
            <h3 className="text-h3">{t('progress.title')}</h3>
            <Stages kind={view.kind} stages={view.timeline} />
            <CalendarLink view={view} />
          </>
        }
      >
        <div className="flex flex-wrap gap-2">
          <StatusTags testId="status" view={view} />
        </div>
        <StatusText
          enterBy={enterBy}
          shownStatus={shownStatus}
          supportEmail={supportEmail}
          view={view}
        />
        {view.correction ? <CorrectionNotice correction={view.correction} view={view} /> : null}
        {shownStatus === 'unpaid' && view.due ? (
          <PayBox due={view.due} other={otherWay} view={view} />
        ) : null}
        {shownStatus === 'closed' ? (
          <div className="form-actions">
            <ButtonLink to={view.kind === 'visa' ? '/application' : '/insurance'}>
              {t(`closed.${view.kind}`)}
            </ButtonLink>
          </div>
        ) : null}
        {sent === 'document' ? (
          <Notice className="mt-6" role="status" tone="green">
            {t('download.linkSent')}
          </Notice>
        ) : null}
        {view.document ? (
          <DownloadBox
            isAsked={asksFor !== null && !asksForReceipt}
            refused={refused}
            view={view}
          />
        ) : null}
        {view.wholeOrder ? (
          <p className="mt-6">
            <Link to={`/status?ref=${view.wholeOrder}`}>{t('group.toOrder')}</Link>
          </p>
        ) : null}
        <StatusFacts view={view} />
        <BoughtCovers covers={covers} heading="h3" />
        <section className="mt-6 border-t border-line pt-6 print:hidden">
          <h3 className="text-h3">{t('manage')}</h3>
          <ul className="mt-2 grid justify-items-start gap-x-7 gap-y-2">
            <li>
              <CopyButton isSent={sent === 'copy'} number={view.number} />
            </li>
            {view.cancellable ? (
              <li>
                <CancelLink now={cancelNow} number={view.number} />
              </li>
            ) : null}
          </ul>
        </section>
        <ReceiptLinks asksFor={asksFor} refused={refused} view={view} />
        {shownStatus === 'rejected' ? null : (
          <SupportLine className="text-small mt-6" email={supportEmail} />
        )}
      </Panel>
    </div>
  );
}

/** Has a copy of all answers sent to the application's own email address, whoever asks. */
function CopyButton({ number, isSent }: { number: string; isSent: boolean }) {
  const { t } = useTranslation('application');
  if (isSent) return <p role="status">{t('copy.sent')}</p>;
  return (
    <Form method="post">
      <input name="ref" type="hidden" value={number} />
      <Button look="plain" name="send" value={'copy' satisfies AskedEmail}>
        {t('copy.link')}
      </Button>
    </Form>
  );
}

/** What the traveller is asked to correct, where, and until when. The note of staff is in the email alone. */
function CorrectionNotice({
  correction: { fields, until, keepsStart },
  view: { kind, startsOn },
}: {
  correction: NonNullable<StatusView['correction']>;
  view: Pick<StatusView, 'kind' | 'startsOn'>;
}) {
  const { t, language } = useTranslation(['application', 'correction', 'visa', 'insurance']);
  const moment = useDeadlines()(until, 'long');
  const [by, ...rest] = deadlineWords(useTranslation('correction').t, language, {
    kind,
    startsOn,
    keepsStart,
    moment,
  });
  return (
    <Notice className="mt-5" title={t('correction:asked')} tone="amber">
      <ul className="my-2 list-disc ps-5">
        {fields.map((field) => (
          <li key={field}>{t(`${kind}:labels.${field}`, field)}</li>
        ))}
      </ul>
      <p>{t('text.actionRequired')}</p>
      <p className="mt-2 font-semibold">{by}</p>
      <p className="mt-2">{rest.join(' ')}</p>
    </Notice>
  );
}

/** A button first, which then asks for the applicant's date of birth. */
function DownloadBox({
  view,
  isAsked,
  refused,
}: {
  view: StatusView;
  isAsked: boolean;
  /** The date of birth that was refused. */
  refused: RefusedDate | null;
}) {
  const { t } = useTranslation('application');
  if (!view.document) return null;
  const kind = documentKind(view);
  const label = t(`download.${kind}`);
  const kilobytes = Math.max(1, Math.round(view.document.size / 1024));
  if (!isAsked) {
    return (
      <div className="mt-6 flex flex-wrap items-center gap-x-5 gap-y-3">
        <ButtonLink
          className="max-wide:w-full"
          icon="download"
          look={kind === 'cancelledInsurance' ? 'secondary' : 'primary'}
          to={`?ref=${view.number}&download=yes#dateOfBirth`}
        >
          {label}
        </ButtonLink>
        <p className="text-small text-ink-2">{t('download.about', { size: kilobytes })}</p>
      </div>
    );
  }
  return <BirthDateForm label={label} number={view.number} refused={refused} />;
}

/** The receipt and the credit notes, each opened by the date of birth. */
function ReceiptLinks({
  view,
  asksFor,
  refused,
}: {
  view: StatusView;
  /** The id of the receipt or credit note whose date of birth is being asked for. */
  asksFor: string | null;
  refused: RefusedDate | null;
}) {
  const { t } = useTranslation('application');
  if (view.receipts.length === 0) return null;
  const asked = view.receipts.find(({ id }) => id === asksFor);
  return (
    <section className="mt-6 border-t border-line pt-6 print:hidden">
      <h3 className="text-h3">{t('receipt.title')}</h3>
      {asked ? (
        <BirthDateForm
          label={t(`receipt.${asked.kind}`, { number: asked.number })}
          number={view.number}
          receiptId={asked.id}
          refused={refused}
        />
      ) : (
        <ul className="mt-2 grid justify-items-start gap-x-7 gap-y-2">
          {view.receipts.map(({ id, kind, number }) => (
            <li key={id}>
              <ButtonLink
                icon="download"
                look="plain"
                to={`?ref=${view.number}&download=${id}#dateOfBirth`}
              >
                {t(`receipt.${kind}`, { number })}
              </ButtonLink>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The fields that the specification names under "Status result". */
function StatusFacts({ view }: { view: StatusView }) {
  const { t, language } = useTranslation('application');
  const starts = parseDate(view.startsOn);
  const isVisa = view.kind === 'visa';
  return (
    <div className="mt-6 border-t border-line pt-6 max-wide:pt-2">
      <Facts
        facts={[
          {
            term: t('fact.number'),
            value: <NumberCode value={view.number} />,
            testId: 'application-number',
          },
          ...view.beside.map(({ kind, number }) => ({
            term: t(`beside.${kind}`),
            value: (
              <Link to={`/status?ref=${number}`}>
                <NumberCode value={number} />
              </Link>
            ),
            testId: `beside-${kind}`,
          })),
          {
            term: t('fact.applicant'),
            value: <bdi>{fullName(view)}</bdi>,
          },
          {
            term: t('fact.appliedOn'),
            value: formatDate(toPlainDate(view.createdAt, UTC), language),
          },
          {
            term: t(isVisa ? 'fact.arrivalDate' : 'fact.travelDate'),
            value: starts ? formatDate(starts, language) : view.startsOn,
          },
          {
            term: t(isVisa ? 'fact.processing' : 'fact.plan'),
            value: t(`service.${view.service}.name`),
          },
          {
            term: t('fact.payment'),
            value: (
              <Trans
                components={{ total: <bdi data-testid="total" /> }}
                i18nKey={`payment.${view.paymentStatus}`}
                t={t}
                values={{ amount: formatMoney(view.total, language) }}
              />
            ),
          },
          ...(view.returned.done.minor > 0
            ? [
                {
                  term: t('fact.refunded'),
                  value: <bdi>{formatMoney(view.returned.done, language)}</bdi>,
                  testId: 'refunded',
                },
              ]
            : []),
          ...(view.returned.coming.minor > 0
            ? [
                {
                  term: t('fact.refundComing'),
                  value: <bdi>{formatMoney(view.returned.coming, language)}</bdi>,
                },
              ]
            : []),
          {
            term: t('fact.transaction'),
            value: view.transactionId ?? t('fact.none'),
            mono: view.transactionId !== null,
          },
          {
            term: t('fact.document'),
            value: t(documentKey(view)),
          },
        ]}
      />
    </div>
  );
}

/** Of an application that has ended there will be none. */
function documentKey({
  document,
  status,
  cancelledAt,
  closed,
}: StatusView): TextKey<'application'> {
  if (document) return 'fact.documentReady';
  const isOver = status === 'rejected' || cancelledAt !== null || closed;
  return isOver ? 'fact.documentOver' : 'fact.documentNone';
}

/**
 * Leads to the page that cancels. Everybody with the number sees the link; only the payer's browser can cancel there, and
 * sees here what that pays back. `number`: of an application, or of an order.
 */
export function CancelLink({
  number,
  now = null,
}: {
  number: string;
  now?: CancellationNow | null;
}) {
  const { t } = useTranslation('application');
  return (
    <div className="print:hidden">
      <ButtonLink look="plain" to={`/status/cancel?${new URLSearchParams({ ref: number })}`}>
        {t(now?.total.minor === 0 ? 'cancel.linkOnly' : 'cancel.link')}
      </ButtonLink>
      {now ? <NowText now={now} /> : null}
    </div>
  );
}

function NowText({ now: { total, holdsUntil, isWhilePending } }: { now: CancellationNow }) {
  const { t, language } = useTranslation('application');
  const deadline = useDeadlines();
  return (
    <p className="text-small text-ink-2" data-testid="cancel-now">
      {total.minor === 0
        ? t('cancel.nothing')
        : t('cancel.now', { amount: formatMoney(total, language) })}{' '}
      {holdsUntil
        ? t(isWhilePending ? 'cancel.untilPending' : 'cancel.until', {
            moment: deadline(holdsUntil, 'short'),
          })
        : null}
    </p>
  );
}
