import { randomUUID } from 'node:crypto';
import { addDays, dateOf, UTC, type PlainDate } from '~/base/dates/dates.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { isUuid } from '~/base/uuid.ts';
import { readNumber } from '~/features/application/number.ts';
import {
  insertHold,
  liftHold,
  waitForDeletions,
} from '~/features/application/retention/hold-store.server.ts';
import { applicationByNumber } from '~/features/application/store.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { LONGEST_REASON, type CaseProblem } from './case-problem.ts';

/** Ten years: as long as the longest claim lapses. Whoever needs more places another one. */
const MOST_DAYS = 3653;

/**
 * Places a legal hold on an application, or, where `isWholeOrder` or the number is an order's, on all applications of an
 * order, until the end of a day.
 */
export async function placeHold(
  platform: Platform,
  staff: Staff,
  typed: { number: string; isWholeOrder: boolean; until: PlainDate | null; why: string },
): Promise<Outcome<true, CaseProblem>> {
  const placedAt = platform.now();
  const today = dateOf(placedAt, UTC);
  const read = readNumber(typed.number);
  if (!read.ok) return refused('number_invalid');
  const { until } = typed;
  if (!until || until < today || until > addDays(today, MOST_DAYS)) return refused('until_invalid');
  const why = typed.why.trim();
  if (why === '') return refused('why_required');
  if (why.length > LONGEST_REASON) return refused('too_long');
  const id = randomUUID();
  return platform.db.transaction(async (tx) => {
    await waitForDeletions(tx);
    const application = read.kind === 'group' ? null : await applicationByNumber(tx, read.number);
    const order = await orderByNumber(tx, application?.orderNumber ?? read.number);
    if (!order) return refused('number_unknown');
    const applicationId = typed.isWholeOrder ? null : (application?.id ?? null);
    await insertHold(tx, platform.sealer, {
      id,
      orderNumber: order.number,
      applicationId,
      why,
      placedBy: staff.id,
      placedAt,
      until: new Date(`${addDays(until, 1)}T00:00:00Z`),
    });
    await audit(tx, {
      at: placedAt,
      staffId: staff.id,
      action: 'hold_placed',
      subject: { kind: 'hold', id },
      detail: { applicationId, orderId: order.id, until },
    });
    return ok(true);
  });
}

export async function liftLegalHold(
  platform: Platform,
  staff: Staff,
  id: string,
): Promise<Outcome<true, CaseProblem>> {
  if (!isUuid(id)) return refused('not_found');
  const at = platform.now();
  return platform.db.transaction(async (tx) => {
    if (!(await liftHold(tx, id, { by: staff.id, at }))) return refused('not_found');
    await audit(tx, {
      at,
      staffId: staff.id,
      action: 'hold_lifted',
      subject: { kind: 'hold', id },
    });
    return ok(true);
  });
}
