import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { unchangeable, type Unchangeable } from '~/features/order/payer/change-order.server.ts';
import { findOrder } from '~/features/order/checkout.server.ts';
import { isPayer } from '~/features/order/payer/payer.server.ts';
import { sessionHashOf } from '~/features/order/payer/session.server.ts';
import type { Order } from '~/features/order/store.server.ts';
import { attemptsFor } from '~/features/payment/settlement/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { readNumber } from './number.ts';
import { applicationsOfOrder, type Application } from './store.server.ts';

/** unknown: no such application of this form. not_payer: another browser placed its order. decided: staff have decided it. */
export type ChangeRefusal = Unchangeable | 'unknown' | 'not_payer' | 'decided';

export type Changeable = { order: Order; application: Application };

/**
 * Finds the unpaid application that a number names, its own or its order's, for the browser that may change it. An
 * insurance beside an e-visa is changed together with the e-visa. A browser that is not the payer's learns only that.
 */
export async function findChangeable(
  platform: Platform,
  request: Request,
  typed: string,
  kind: Application['kind'],
): Promise<Outcome<Changeable, ChangeRefusal>> {
  const read = readNumber(typed);
  const order = read.ok ? await findOrder(platform, read.number) : null;
  if (!read.ok) return refused('unknown');
  // Whether a number exists is not told to a browser that is not the payer's.
  const isOwn = order && (await isPayer(platform.db, sessionHashOf(platform, request), order));
  if (!order || !isOwn) return refused('not_payer');
  const together = await applicationsOfOrder(platform.db, order.number);
  const isForm = together.some((one) => one.kind === 'visa') ? kind === 'visa' : true;
  const own = together.filter((one) => isForm && one.kind === kind);
  const application = own.find(({ number }) => number === read.number) ?? own[0];
  if (!application) return refused('unknown');
  const why = unchangeable(order, await attemptsFor(platform.db, order.number));
  if (why) return refused(why);
  return application.status === 'pending' ? ok({ order, application }) : refused('decided');
}
