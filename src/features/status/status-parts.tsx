import { useEffect, type ReactNode } from 'react';
import { usePage } from '~/ui/page/page-context.tsx';
import { useTranslation, Trans } from '~/ui/texts/texts.tsx';
import { useMoments } from '~/ui/moment.tsx';
import { Timeline } from '~/ui/timeline.tsx';
import { type TimelineStage, isWithdrawn, visibleStatus, type StatusView } from './status-view.ts';
import { StatusTag, type StatusTone } from '~/ui/status-tag.tsx';
import { formatMoney, type Money } from '~/base/money.ts';
import { changePath } from '~/features/order/payer/payer-links.ts';
import { ButtonLink } from '~/ui/button.tsx';
import type { ProviderName } from '~/base/payment-providers.ts';
import { firstWay, PayForm, PayOtherWay } from '~/features/order/pay-form.tsx';
import type { AwaitedReason } from '~/features/payment/awaited.ts';
import { NarrowPage, PageHead } from '~/ui/layout.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';

/** Reloads a page's data while it waits for news; without scripts the page itself. */
export function RefreshEvery({ seconds }: { seconds: number }) {
  const { reload } = usePage();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void reload();
    }, seconds * 1000);
    return () => clearInterval(timer);
  }, [reload, seconds]);
  return (
    <noscript>
      <meta content={String(seconds)} httpEquiv="refresh" />
    </noscript>
  );
}

/** The past and coming events of an application. The page says above it what the current one means. */
export function Stages({
  stages,
  kind,
}: {
  stages: readonly TimelineStage[];
  kind: 'visa' | 'insurance';
}) {
  const { t } = useTranslation('application');
  const moment = useMoments();
  const suffix = kind === 'insurance' ? 'Insurance' : '';

  function detail({ name, state, at, by }: TimelineStage): string {
    if (state === 'now' && name === 'certificate') return t('progress.certificateMeans');
    if (state === 'now' && at) return '';
    if (at) return moment(at, 'short');
    if (by && kind === 'visa') return t('progress.by', { promise: moment(by, 'short') });
    if (by) return t('progress.byInsurance', { moment: moment(by, 'short') });
    if (name === 'review') return t('progress.reviewWaits');
    if (name === 'certificate') return t('progress.certificateWaits');
    if (name === 'processing') return '';
    return t(`progress.approvedMeans${suffix}`);
  }

  return (
    <Timeline
      events={stages.map((stage) => ({
        title: t(`progress.${stage.name}`),
        detail: detail(stage),
        state: stage.state,
      }))}
    />
  );
}

/** The address to write to when something is wrong. The page shows the number to quote. */
export function SupportLine({ email, className = 'mt-4' }: { email: string; className?: string }) {
  const { t } = useTranslation('application');
  return (
    <p className={className}>
      <Trans
        components={{ mail: <MailLink email={email} /> }}
        i18nKey="text.contact"
        t={t}
        values={{ email }}
      />
    </p>
  );
}

/** The operator's address is a placeholder, and no link, until it is configured. */
function MailLink({ email, children }: { email: string; children?: ReactNode }) {
  return (
    <bdi dir="ltr">
      {email.includes('@') ? <a href={`mailto:${email}`}>{children}</a> : children}
    </bdi>
  );
}

const tones: Readonly<Record<StatusView['status'], StatusTone>> = {
  pending: 'amber',
  processing: 'blue',
  approved: 'green',
  rejected: 'red',
};

/** Tags: the status of an application, and whether an answer or the payment is missing. `testId`: of the status. */
export function StatusTags({ view, testId }: { view: StatusView; testId?: string }) {
  const { t } = useTranslation(['application', 'correction']);
  const shownStatus = visibleStatus(view);
  return (
    <>
      {isWithdrawn(view) ? (
        <StatusTag testId={testId} tone="neutral">
          {t('status.cancelled')}
        </StatusTag>
      ) : (
        <StatusTag testId={testId} tone={tones[view.status] ?? 'neutral'}>
          {t(`status.${view.status}`, { defaultValue: t('status.updating') })}
        </StatusTag>
      )}
      {view.actionRequired ? (
        <StatusTag testId={testId && 'action-required'} tone="amber">
          {t('correction:required')}
        </StatusTag>
      ) : null}
      {shownStatus === 'unpaid' || shownStatus === 'confirming' ? (
        <StatusTag tone="neutral">{t(`status.${shownStatus}`)}</StatusTag>
      ) : null}
    </>
  );
}

/**
 * The button that pays an unpaid order, also after a failed attempt. `due`: what the whole order costs. `isOfAll`: for
 * several travellers, each of whom is changed in their own card.
 */
export function PayBox({
  view,
  due,
  other,
  isOfAll = false,
}: {
  view: StatusView;
  due: Money;
  /** The other way to pay. */
  other: ProviderName | null;
  isOfAll?: boolean;
}) {
  const { t, language } = useTranslation(['application', 'payment']);
  const amount = formatMoney(due, language);
  const visa = view.beside.find(({ kind }) => kind === 'visa');
  const number = visa?.number ?? view.number;
  const change = changePath(number, number);
  const isAgain = view.paymentStatus === 'failed';
  return (
    <div className="mt-6 grid justify-items-start gap-3 max-wide:justify-items-stretch">
      <PayForm
        beside={<PayOtherWay className="max-wide:w-full" provider={other} total={due} />}
        orderNumber={view.orderNumber}
      >
        {t(isAgain ? 'pay.again' : `payment:with.${firstWay(other)}`, { amount })}
      </PayForm>
      <p className="text-small text-ink-2">{t('pay.partner')}</p>
      {isOfAll ? null : (
        <ButtonLink look="plain" to={change}>
          {t('pay.change')}
        </ButtonLink>
      )}
    </div>
  );
}

/** Offers the promised moment for the traveller's calendar, while there is one to wait for. */
export function CalendarLink({ view }: { view: { number: string; isPromised: boolean } }) {
  const { t } = useTranslation('application');
  if (!view.isPromised) return null;
  return (
    <div className="mt-4 print:hidden">
      <ButtonLink icon="calendar" look="plain" to={`/status/calendar?ref=${view.number}`}>
        {t('calendar.add')}
      </ButtonLink>
    </div>
  );
}

/** Seconds between two looks at a payment that its provider checks for hours. */
export const HELD_SECONDS = 60;

/** A payment that its provider has not confirmed yet. */
export function ConfirmingPayment({
  orderNumber,
  awaited,
}: {
  orderNumber: string;
  awaited: AwaitedReason;
}) {
  const { t } = useTranslation('application');
  return (
    <NarrowPage>
      <PageHead
        lead={t(awaited === 'held' ? 'confirming.held' : 'confirming.text')}
        title={t('confirming.title')}
      >
        <StatusTag icon="clock" tone="amber">
          {t('status.confirming')}
        </StatusTag>
      </PageHead>
      <p className="text-small text-ink-2">{t('confirming.number')}</p>
      <p className="mt-1 mb-8">
        <NumberCode size="display" testId="application-number" value={orderNumber} />
      </p>
      <ButtonLink look="secondary" to={`/status?ref=${orderNumber}`}>
        {t('confirming.status')}
      </ButtonLink>
      <RefreshEvery seconds={awaited === 'held' ? HELD_SECONDS : 3} />
    </NarrowPage>
  );
}
