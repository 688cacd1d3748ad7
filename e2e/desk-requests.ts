import { randomUUID } from 'node:crypto';
import { addDays, dateOf, UTC } from '../src/base/dates/dates.ts';
import { insertHold } from '../src/features/application/retention/hold-store.server.ts';
import type { Application } from '../src/features/application/store.server.ts';
import { openCase, recordIdentity } from '../src/features/desk/privacy/cases.server.ts';
import { orderByNumber } from '../src/features/order/store.server.ts';
import type { Staff } from '../src/features/staff/staff.ts';
import type { Platform } from '../src/platform/platform.server.ts';

/** A request that was not looked at and is overdue, an erasure that may go, and one that a hold keeps; their ids. */
export async function storeRequests(
  platform: Platform,
  staff: Staff,
  { bare, pending }: { bare: Application; pending: Application },
): Promise<string[]> {
  const { db, sealer } = platform;
  const now = platform.now();
  const open = async (kind: string, daysAgo: number, { email }: Application) => {
    const opened = await openCase(platform, staff, {
      kind,
      arrivedOn: addDays(dateOf(now, UTC), -daysAgo),
      language: 'en',
      given: { number: '', email, passport: '' },
    });
    if (!opened.ok) throw new Error(opened.error.join());
    return opened.value;
  };
  const identify = async (id: string, { id: applicationId, orderNumber }: Application) => {
    const order = await orderByNumber(db, orderNumber);
    const own = {
      applicationIds: [applicationId],
      orderIds: order ? [order.id] : [],
      draftIds: [],
      caseIds: [],
      staffIds: [],
    };
    await recordIdentity(platform, staff, id, { check: 'email_reply', own });
  };
  const access = await open('access', 12, bare);
  await open('correction', 45, pending);
  const erasure = await open('erasure', 25, bare);
  await identify(erasure, bare);
  const blocked = await open('erasure', 3, pending);
  await identify(blocked, pending);
  await db.transaction((tx) =>
    insertHold(tx, sealer, {
      id: randomUUID(),
      orderNumber: pending.orderNumber,
      applicationId: pending.id,
      why: 'Claim announced by a lawyer on 3 November, see the letter in the file.',
      placedBy: staff.id,
      placedAt: now,
      until: new Date(now.getTime() + 400 * 24 * 3_600_000),
    }),
  );
  return [access, erasure, blocked];
}
