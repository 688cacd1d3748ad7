import * as build from 'virtual:react-router/server-build';
import { createApp } from '../src/app/app.server.ts';
import type { Payments } from '../src/features/payment/settlement/context.server.ts';
import { makePayments } from '../src/app/composition/payments.server.ts';
import type { Platform } from '../src/platform/platform.server.ts';

/** The whole service as one function, without a listener and without a build. */
export function makeTestApp(platform: Platform, payments: Payments = makePayments(platform)) {
  return createApp({ platform, payments, build, mode: 'test' });
}
