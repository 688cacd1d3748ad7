import { and, eq, gt, sql, type SQL } from 'drizzle-orm';
import { typedDate } from '~/base/dates/dates.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { dropOwnClaim } from '~/features/application/claim-store.server.ts';
import { isInHand } from '~/features/application/queue-group.ts';
import { lockApplication, type Application } from '~/features/application/store.server.ts';
import { applicationEvent } from '~/features/application/tables.server.ts';
import { readOffice } from '~/features/settings/office.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { staffAccount } from '~/features/staff/tables.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import {
  DecisionRefused,
  refusable,
  refuseByTable,
  refuseClaimed,
  staleness,
} from './decide.server.ts';
import type { DecisionError } from './decision-types.ts';
import {
  MAX_PUT_OFF_LENGTH,
  putOffEnds,
  putOffFields,
  putOffReasons,
  putOffUntil,
} from './put-off.ts';
import { caseMessage } from '~/features/application/messages/tables.server.ts';
import { deskPutOff } from './tables.server.ts';

const wordsOf = (applicationId: string) => `desk_put_off.words:${applicationId}`;

/**
 * Whether what was put off still is: its moment has not come, and nothing has happened to the application since, neither
 * by its traveller, a message included, nor by staff. Undoing what happened brings it back.
 */
export const isStillPutOff = (now: Date | ReturnType<typeof sql.placeholder>): SQL | undefined =>
  and(
    gt(deskPutOff.until, now),
    sql`not exists (select 1 from ${applicationEvent} where ${and(
      eq(applicationEvent.applicationId, deskPutOff.applicationId),
      gt(applicationEvent.at, deskPutOff.at),
    )})`,
    sql`not exists (select 1 from ${caseMessage} where ${and(
      eq(caseMessage.applicationId, deskPutOff.applicationId),
      eq(caseMessage.direction, 'in'),
      eq(caseMessage.isAutomatic, false),
      gt(caseMessage.at, deskPutOff.at),
    )})`,
  );

/** The ids of all that is put off. */
export const putOffIdsSql = (now: Parameters<typeof isStillPutOff>[0]): SQL =>
  sql`select ${deskPutOff.applicationId} from ${deskPutOff} where ${isStillPutOff(now)}`;

const isPutOff = (applicationId: string, now: Date) =>
  and(eq(deskPutOff.applicationId, applicationId), isStillPutOff(now));

/** How an application is put off now; null where it is not. */
export async function findPutOff(
  { db, sealer }: Pick<Platform, 'sealer'> & { db: Queryable },
  { applicationId, now }: { applicationId: string; now: Date },
) {
  const [found] = await db
    .select({
      reason: deskPutOff.reason,
      words: deskPutOff.words,
      until: deskPutOff.until,
      untilReply: deskPutOff.untilReply,
      by: staffAccount.name,
    })
    .from(deskPutOff)
    .innerJoin(staffAccount, eq(staffAccount.id, deskPutOff.staffId))
    .where(isPutOff(applicationId, now));
  return found
    ? { ...found, words: found.words && sealer.unsealText(found.words, wordsOf(applicationId)) }
    : null;
}

/** Why an application cannot be put off by somebody, whose role and state of it the table permits; null where it can. */
export async function putOffRefusal(
  db: Queryable,
  staff: Staff,
  found: Application,
  at: Date,
): Promise<DecisionError | null> {
  if (!isInHand(found)) return staleness(db, found);
  if (found.pausedAt) return { code: 'already_waiting' };
  const [held] = await db
    .select({ staffId: deskPutOff.staffId })
    .from(deskPutOff)
    .where(isPutOff(found.id, at));
  return held && held.staffId !== staff.id ? { code: 'put_off_already' } : null;
}

/** Reads the form that puts an application off; `written`: one's own words, null for a reason of the list. */
export function readPutOff(
  typed: Readonly<Record<string, string>>,
  when: Omit<Parameters<typeof putOffUntil>[1], 'day'>,
): Outcome<
  {
    reason: (typeof putOffReasons)[number];
    written: string | null;
    end: (typeof putOffEnds)[number];
    until: Date;
  },
  DecisionError
> {
  const reason = putOffReasons.find((one) => one === typed[putOffFields.reason]);
  if (!reason) return refused({ code: putOffFields.reason });
  const written = reason === 'other' ? (typed[putOffFields.words] ?? '').trim() : null;
  if (written === '' || (written?.length ?? 0) > MAX_PUT_OFF_LENGTH)
    return refused({ code: putOffFields.words });
  const end = putOffEnds.find((one) => one === typed[putOffFields.end]);
  if (!end) return refused({ code: putOffFields.end });
  const until = putOffUntil(end, { ...when, day: typedDate(typed, putOffFields.day) });
  return until ? ok({ reason, written, end, until }) : refused({ code: putOffFields.day });
}

type Answer = Promise<Outcome<Application, DecisionError>>;

/**
 * Puts an application off that staff have something to do for, as its form says: taking the next one passes it over until
 * it comes back. Whoever does so works on it no longer. What a colleague put off is brought back first, as their reason
 * would be lost.
 */
export function putOff(
  { db, now, sealer }: Pick<Platform, 'db' | 'now' | 'sealer'>,
  staff: Staff,
  { applicationId, typed }: { applicationId: string; typed: Readonly<Record<string, string>> },
): Answer {
  return refusable(db, async (tx) => {
    const at = now();
    const found = await lockApplication(tx, applicationId);
    if (!found) throw new DecisionRefused({ code: 'not_found' });
    await refuseByTable(tx, staff, found, 'put_off');
    const refusal = await putOffRefusal(tx, staff, found, at);
    if (refusal) throw new DecisionRefused(refusal);
    await refuseClaimed(tx, staff, found.id, at);
    const office = await readOffice(tx, at);
    const read = readPutOff(typed, { at, office, promisedAt: found.promisedAt });
    if (!read.ok) throw new DecisionRefused(read.error);
    const { reason, written, end, until } = read.value;
    const values = {
      staffId: staff.id,
      at,
      reason,
      words: written === null ? null : sealer.seal(written, wordsOf(applicationId)),
      until,
      untilReply: end === 'reply',
    };
    await tx
      .insert(deskPutOff)
      .values({ applicationId, ...values })
      .onConflictDoUpdate({ target: deskPutOff.applicationId, set: values });
    await dropOwnClaim(tx, { applicationId, staffId: staff.id });
    const subject = { kind: 'application', id: applicationId } as const;
    await audit(tx, { at, staffId: staff.id, action: 'put_off', subject, detail: { reason, end } });
    return found;
  });
}

/** Takes back that an application was put off, if it still is. */
export function resume(
  { db, now }: Pick<Platform, 'db' | 'now'>,
  staff: Staff,
  applicationId: string,
): Answer {
  return refusable(db, async (tx) => {
    const at = now();
    const found = await lockApplication(tx, applicationId);
    if (!found) throw new DecisionRefused({ code: 'not_found' });
    await refuseByTable(tx, staff, found, 'resume');
    const { rowCount } = await tx.delete(deskPutOff).where(isPutOff(applicationId, at));
    if (rowCount === 0) return found;
    const subject = { kind: 'application', id: applicationId } as const;
    await audit(tx, { at, staffId: staff.id, action: 'put_off_ended', subject });
    return found;
  });
}
