import { Trans, useTranslation } from '~/ui/texts/texts.tsx';
import { toPlainDate, formatDate, UTC, type PlainDate } from '~/base/dates/dates.ts';
import { add, formatMoney } from '~/base/money.ts';
import type { Translate } from '~/base/read-text.ts';
import type { CodeIn } from '~/base/text-keys.ts';
import { Moment } from '~/ui/moment.tsx';
import { Notice } from '~/ui/notice.tsx';
import { Link } from '~/ui/page/link.tsx';
import { SkippedDays } from '~/features/application/closed-days.tsx';
import { skippedClosedDays } from '~/features/application/skipped-days.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { entryRule } from '~/features/application/entry-rule.ts';
import { hasRejectionReason } from '~/features/application/rejection.ts';
import { RejectionText } from './rejection-text.tsx';
import { isWithdrawn, type ShownStatus, punctuality, type StatusView } from './status-view.ts';
import { SupportLine } from './status-parts.tsx';

/** What the status means, in a heading and two or three sentences. */
export function StatusText({
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
  const { t } = useTranslation('application');
  const { promisedAt } = view;
  const language = useLanguage();
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
        <div className="max-w-[500px]">
          <Sentences shownStatus={shownStatus} view={view} />
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
  const { t } = useTranslation('application');
  const language = useLanguage();
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

function Sentences({ view, shownStatus }: { view: StatusView; shownStatus: ShownStatus }) {
  const { t } = useTranslation('application');
  const language = useLanguage();
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
        <p className="mt-2">{t('text.carryPapers')}</p>
      ) : null}
    </>
  );
}

function approvedSentence(view: StatusView, date: string, t: Translate<'application'>): string {
  const stands = punctuality(view.decidedAt, view.promisedAt);
  if (stands.kind === 'days_early') return t('text.approvedEarly', { date, count: stands.days });
  return t(stands.kind === 'in_time' ? 'text.approvedInTime' : 'text.approvedOn', { date });
}
