import { z } from 'zod';
import { deleteDownloadLinks } from '~/features/application/store.server.ts';
import { deleteClaims, deleteLooks } from '~/features/application/claim-store.server.ts';
import { READ_MAILBOX_JOB, readMailbox } from '~/features/desk/messages/receive.server.ts';
import { drawSecondLooks } from '~/features/desk/reports/second-looks.server.ts';
import { recordedRetentionJobs } from '~/features/desk/privacy/retention-jobs.server.ts';
import { insuranceJobs } from '~/features/insurance/certificate/certificate-job.server.ts';
import { emailJobs, emailSchedule } from '~/features/email/jobs.server.ts';
import { issueCreditNote } from '~/features/order/receipt/issue-receipt.server.ts';
import type { Payments } from '~/features/payment/settlement/context.server.ts';
import { notice, simulatedGateway } from '~/lab/gateway/simulated-gateway.server.ts';
import { notifyMerchant } from '~/lab/gateway/gateway.server.ts';
import { simulatedStripe } from '~/lab/stripe/simulated-stripe.server.ts';
import { deliverOrThrow } from '~/lab/partner.server.ts';
import { simulatedPaypal } from '~/lab/paypal/simulated-paypal.server.ts';
import { reconciliationJobs } from '~/features/payment/reconcile/jobs.server.ts';
import { queueHeldEmail } from '~/features/order/pay.server.ts';
import { HELD_JOB } from '~/features/payment/settlement/settle.server.ts';
import { CLOSE_PAGE_JOB, closePage } from '~/features/payment/settlement/close-page.server.ts';
import { advanceRefund } from '~/features/payment/settlement/refund.server.ts';
import { REFUND_JOB } from '~/features/payment/settlement/refund-request.server.ts';
import { sweep, sweepRefunds } from '~/features/payment/settlement/sweep.server.ts';
import { staffJobs } from '~/features/staff/accounts/jobs.server.ts';
import type { JobHandlers, Recurring } from '~/platform/jobs/jobs.server.ts';
import { fileJobs } from '~/platform/files/files.server.ts';
import type { Platform } from '~/platform/platform.server.ts';

/** Handlers of background jobs by name. Running one twice must do no harm. */
export function jobHandlers(platform: Platform, payments: Payments): JobHandlers {
  const { db, now } = platform;
  const { providers, onPaid } = payments;
  const gateway = simulatedGateway(platform);
  const paypal = simulatedPaypal(platform);
  const stripe = simulatedStripe(platform);
  return {
    ...fileJobs(platform),
    ...emailJobs(platform),
    ...staffJobs(platform),
    ...recordedRetentionJobs(platform),
    ...insuranceJobs(platform),
    ...reconciliationJobs(platform, payments),
    'payment.sweep': async () => {
      await sweep(platform, providers, onPaid);
      await sweepRefunds(platform, payments);
    },
    [REFUND_JOB]: (payload) =>
      advanceRefund(platform, payments, z.object({ refundId: z.uuid() }).parse(payload).refundId),
    [HELD_JOB]: (payload) =>
      queueHeldEmail(platform, z.object({ attemptId: z.uuid() }).parse(payload).attemptId),
    [CLOSE_PAGE_JOB]: (payload) =>
      closePage(platform, providers, z.object({ attemptId: z.uuid() }).parse(payload).attemptId),
    'order.refunded': (payload) =>
      issueCreditNote(platform, z.object({ refundId: z.uuid() }).parse(payload).refundId),
    [READ_MAILBOX_JOB]: () => readMailbox(platform),
    'desk.delete_claims': async () => {
      await deleteClaims(db, now());
      await deleteLooks(db, now());
    },
    'desk.draw_second_looks': () => drawSecondLooks(platform),
    'application.delete_links': () => deleteDownloadLinks(db, now()),
    ...(paypal && {
      'lab.paypal_notify': (payload: unknown) => deliverOrThrow(paypal, payload),
    }),
    ...(stripe && {
      'lab.stripe_notify': (payload: unknown) => deliverOrThrow(stripe, payload),
    }),
    ...(gateway && {
      'lab.gateway_notify': (payload: unknown) => notifyMerchant(gateway, notice.parse(payload)),
    }),
  };
}

/** Recurring jobs; times in UTC. */
export const schedule: readonly Recurring[] = [
  ...emailSchedule,
  { cron: '* * * * *', name: 'payment.sweep' },
  { cron: '* * * * *', name: READ_MAILBOX_JOB },
  { cron: '3 1 * * *', name: 'payment.reconcile_days' },
  { cron: '7 * * * *', name: 'desk.delete_uploads' },
  { cron: '9 * * * *', name: 'desk.delete_claims' },
  { cron: '17 * * * *', name: 'application.delete_links' },
  { cron: '27 * * * *', name: 'platform.delete_keys' },
  // A day ends in Türkiye at 21:00.
  { cron: '21 21 * * *', name: 'desk.draw_second_looks' },
  { cron: '37 2 * * *', name: 'form.delete_drafts' },
  { cron: '47 2 * * *', name: 'email.delete_expired' },
  { cron: '43 0 * * *', name: 'staff.seal_audit' },
  { cron: '57 2 * * *', name: 'staff.delete_expired' },
  { cron: '9 3 * * *', name: 'desk.delete_privacy_cases' },
  { cron: '12 3 * * *', name: 'order.purge_payer_devices' },
  { cron: '17 3 * * *', name: 'retention.enforce' },
];
