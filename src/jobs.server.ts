import { z } from 'zod';
import { chaseCorrections } from './features/application/chase-corrections.server.ts';
import { forgetDownloadLinks } from './features/application/store.server.ts';
import { forgetClaims } from './features/desk/claim-store.server.ts';
import { forgetUnsentDrafts } from './features/desk/draft.server.ts';
import { forgetUnusedUploads } from './features/desk/uploads.server.ts';
import { insuranceJobs } from './features/insurance/jobs.server.ts';
import { noticeJobs } from './features/notice/jobs.server.ts';
import { purgePayerDevices } from './features/order/payer-store.server.ts';
import { remindUnpaid } from './features/order/remind-unpaid-store.server.ts';
import { issueCreditNote } from './features/order/receipt/issue-credit-note.server.ts';
import type { Payments } from './features/payment/context.server.ts';
import { notice } from './features/payment/lab/gateway-base.server.ts';
import { notifyMerchant } from './features/payment/lab/gateway-notify.server.ts';
import { simulatedPaypal } from './features/payment/lab/paypal/simulated-paypal.server.ts';
import { deliverOrThrow } from './features/payment/lab/paypal/webhooks.server.ts';
import { simulatedGateway } from './features/payment/lab/simulator.server.ts';
import { reconciliationJobs } from './features/payment/reconcile/jobs.server.ts';
import { advanceRefund } from './features/payment/refund.server.ts';
import { returnLate } from './features/payment/refund-late.server.ts';
import { REFUND_JOB } from './features/payment/refund-request.server.ts';
import { sweep, sweepRefunds } from './features/payment/sweep.server.ts';
import { staffJobs } from './features/staff/jobs.server.ts';
import { forgetDrafts } from './features/visa/draft.server.ts';
import { forgetOldKeys } from './platform/idempotency.server.ts';
import type { JobHandlers, Recurring } from './platform/jobs.server.ts';
import { fileJobs } from './platform/files/remove-files.server.ts';
import type { Platform } from './platform/platform.server.ts';
import { enforceRetention } from './retention.server.ts';

const delivery = z.object({ eventId: z.string(), signature: z.enum(['right', 'wrong']) });

/** What the background does: job name → what runs. Every handler bears being run twice. */
export function jobHandlers(platform: Platform, payments: Payments): JobHandlers {
  const { db, now } = platform;
  const { providers, onPaid } = payments;
  const gateway = simulatedGateway(platform);
  const paypal = simulatedPaypal(platform);
  return {
    ...fileJobs(platform),
    ...noticeJobs(platform),
    ...staffJobs(platform),
    ...insuranceJobs(platform),
    ...reconciliationJobs(platform, payments),
    'payment.sweep': async () => {
      await sweep(platform, providers, onPaid);
      await sweepRefunds(platform, payments);
    },
    [REFUND_JOB]: (payload) =>
      advanceRefund(platform, payments, z.object({ refundId: z.uuid() }).parse(payload).refundId),
    // Asked for by releases before the ledger of refunds.
    'payment.refund_late': (payload) => {
      const { attemptId } = z.object({ attemptId: z.uuid() }).parse(payload);
      return db.transaction((tx) => returnLate(tx, attemptId, now()));
    },
    'order.refunded': (payload) =>
      issueCreditNote(platform, z.object({ refundId: z.uuid() }).parse(payload).refundId),
    'desk.forget_uploads': async () => {
      await forgetUnsentDrafts(platform);
      await forgetUnusedUploads(platform);
    },
    'desk.forget_claims': () => forgetClaims(db, now()),
    'visa.forget_drafts': async () => void (await forgetDrafts(platform)),
    'application.chase_corrections': () => chaseCorrections(platform),
    'order.remind_unpaid': () => remindUnpaid(platform),
    'application.forget_links': () => forgetDownloadLinks(db, now()),
    'retention.enforce': () => enforceRetention(platform),
    'order.purge_payer_devices': () => purgePayerDevices(db, now()),
    'platform.forget_keys': async () => void (await forgetOldKeys(db, now())),
    ...(paypal && {
      'lab.paypal_notify': (payload: unknown) => deliverOrThrow(paypal, delivery.parse(payload)),
    }),
    ...(gateway && {
      'lab.gateway_notify': (payload: unknown) => notifyMerchant(gateway, notice.parse(payload)),
    }),
  };
}

/** What the clock sets off, in UTC. */
export const schedule: readonly Recurring[] = [
  { cron: '* * * * *', name: 'payment.sweep' },
  { cron: '3 1 * * *', name: 'payment.reconcile_days' },
  { cron: '7 * * * *', name: 'desk.forget_uploads' },
  { cron: '9 * * * *', name: 'desk.forget_claims' },
  { cron: '17 * * * *', name: 'application.forget_links' },
  { cron: '23 * * * *', name: 'application.chase_corrections' },
  { cron: '27 * * * *', name: 'platform.forget_keys' },
  { cron: '33 * * * *', name: 'order.remind_unpaid' },
  { cron: '37 2 * * *', name: 'visa.forget_drafts' },
  { cron: '47 2 * * *', name: 'notice.forget' },
  { cron: '43 0 * * *', name: 'staff.seal_audit' },
  { cron: '57 2 * * *', name: 'staff.forget' },
  { cron: '7 3 * * *', name: 'insurance.forget_drafts' },
  { cron: '12 3 * * *', name: 'order.purge_payer_devices' },
  { cron: '17 3 * * *', name: 'retention.enforce' },
];
