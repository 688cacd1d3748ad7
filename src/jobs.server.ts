import { z } from 'zod';
import { forgetUnusedUploads } from './features/desk/uploads.server.ts';
import { notifyMerchant } from './features/payment/lab/gateway.server.ts';
import { simulatedGateway } from './features/payment/lab/simulator.server.ts';
import type { Payments } from './features/payment/context.server.ts';
import { refundLate } from './features/payment/refund-late.server.ts';
import { sweep } from './features/payment/sweep.server.ts';
import type { JobHandlers, Recurring } from './platform/jobs.server.ts';
import type { Platform } from './platform/platform.server.ts';

/** What the background does: job name → what runs. Every handler bears being run twice. */
export function jobHandlers(platform: Platform, payments: Payments): JobHandlers {
  const { providers, onPaid } = payments;
  const gateway = simulatedGateway(platform);
  return {
    'payment.sweep': async () => void (await sweep(platform, providers, onPaid)),
    'payment.refund_late': (payload) =>
      refundLate(platform, providers, z.object({ attemptId: z.uuid() }).parse(payload).attemptId),
    'desk.forget_uploads': () => forgetUnusedUploads(platform),
    ...(gateway && {
      'lab.gateway_notify': (payload: unknown) =>
        notifyMerchant(gateway, z.object({ orderRef: z.uuid() }).parse(payload).orderRef),
    }),
  };
}

/** What the clock sets off, in UTC. */
export const schedule: readonly Recurring[] = [
  { cron: '* * * * *', name: 'payment.sweep' },
  { cron: '7 * * * *', name: 'desk.forget_uploads' },
];
