import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { readNumber } from '~/features/application/number.ts';
import { applicationsOfOrder, type Application } from '~/features/application/store.server.ts';
import { unchangeable, type Unchangeable } from '~/features/order/change-order.server.ts';
import { findOrder } from '~/features/order/checkout.server.ts';
import { isPayer } from '~/features/order/payer.server.ts';
import { sessionHashOf } from '~/features/order/session.server.ts';
import type { Order } from '~/features/order/store.server.ts';
import { attemptsFor } from '~/features/payment/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';

/** unknown: no such visa application. not_payer: another browser placed its order. decided: staff have decided it. */
export type ChangeRefusal = Unchangeable | 'unknown' | 'not_payer' | 'decided';

export type Changeable = { order: Order; application: Application };

/**
 * The unpaid visa application that a number names, its own or its order's, for the browser that may change it. Whoever only
 * knows the number learns nothing but that.
 */
export async function findChangeable(
  platform: Platform,
  request: Request,
  typed: string,
): Promise<Outcome<Changeable, ChangeRefusal>> {
  const read = readNumber(typed);
  const order = read.ok ? await findOrder(platform, read.number) : null;
  if (!read.ok) return refused('unknown');
  // An unknown number is told from another's by nobody.
  const isOwn = order && (await isPayer(platform.db, sessionHashOf(platform, request), order));
  if (!order || !isOwn) return refused('not_payer');
  const visas = (await applicationsOfOrder(platform.db, order.number)).filter(
    ({ kind }) => kind === 'visa',
  );
  const application = visas.find(({ number }) => number === read.number) ?? visas[0];
  if (!application) return refused('unknown');
  const why = unchangeable(order, await attemptsFor(platform.db, order.number));
  if (why) return refused(why);
  return application.status === 'pending' ? ok({ order, application }) : refused('decided');
}
