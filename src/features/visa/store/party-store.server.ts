import { and, asc, eq, inArray, isNull, lt, notInArray, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { DraftRow } from '~/features/form/draft/draft-store.server.ts';
import { prepareOnce } from '~/platform/postgres/prepare-once.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { UNNAMED } from '~/platform/postgres/statements.server.ts';
import type { PartyPlace } from '../party.ts';
import {
  visaDraft,
  visaDraftDevice,
  visaDraftLink,
  visaDraftParty,
  visaParty,
} from './tables.server.ts';

export type PlacedRow = { row: DraftRow; party: PartyPlace | null };

const own = alias(visaDraftParty, 'own');
const asked = alias(visaDraftParty, 'asked');

const placed = {
  row: visaDraft,
  partyId: own.partyId,
  position: sql<number | null>`coalesce(${asked.position}, ${own.position})`,
  positions: sql<number[] | null>`(select array_agg(p.position order by p.position)
    from ${visaDraftParty} p where p.party_id = ${own.partyId})`,
};

const placedRow = (
  found:
    | { row: DraftRow; partyId: string | null; position: number | null; positions: number[] | null }
    | undefined,
): PlacedRow | null => {
  if (!found) return null;
  const { row, partyId: id, position, positions } = found;
  return { row, party: id && position && positions ? { id, position, positions } : null };
};

/** The draft that a browser's token opens; in a party, the one at `position` if it exists. */
const ofBrowser = prepareOnce((db) =>
  db
    .select(placed)
    .from(visaDraftDevice)
    .leftJoin(own, eq(own.draftId, visaDraftDevice.draftId))
    .leftJoin(
      asked,
      and(eq(asked.partyId, own.partyId), eq(asked.position, sql.placeholder('position'))),
    )
    .innerJoin(
      visaDraft,
      sql`${visaDraft.id} = coalesce(${asked.draftId}, ${visaDraftDevice.draftId})`,
    )
    .where(
      and(
        eq(visaDraftDevice.tokenHash, sql.placeholder('tokenHash')),
        isNull(visaDraftDevice.endedAt),
        sql`${visaDraft.expiresAt} > ${sql.placeholder('now')}`,
      ),
    )
    .prepare(UNNAMED),
);

/** The draft that a browser may open, with its place in a party; `position` null means the browser's own. */
export async function draftOfBrowser(
  db: Queryable,
  tokenHash: Buffer,
  now: Date,
  position: number | null,
): Promise<PlacedRow | null> {
  const [found] = await ofBrowser(db).execute({ tokenHash, now, position });
  return placedRow(found);
}

/** The same draft, read again. */
export async function placedDraft(db: Queryable, id: string): Promise<PlacedRow | null> {
  const [found] = await db
    .select({ ...placed, position: own.position })
    .from(visaDraft)
    .leftJoin(own, eq(own.draftId, visaDraft.id))
    .where(eq(visaDraft.id, id));
  return placedRow(found);
}

/** All drafts of a party, in order. */
export const draftsOfParty = (
  db: Queryable,
  partyId: string,
): Promise<{ row: DraftRow; position: number }[]> =>
  db
    .select({ row: visaDraft, position: visaDraftParty.position })
    .from(visaDraftParty)
    .innerJoin(visaDraft, eq(visaDraft.id, visaDraftParty.draftId))
    .where(eq(visaDraftParty.partyId, partyId))
    .orderBy(asc(visaDraftParty.position));

/** The ids of the drafts that whoever opens one of them may open: all of its party, or itself alone. */
export async function draftsBeside(db: Queryable, draftId: string): Promise<string[]> {
  const rows = await db
    .select({ id: asked.draftId })
    .from(own)
    .innerJoin(asked, eq(asked.partyId, own.partyId))
    .where(eq(own.draftId, draftId));
  return rows.length > 0 ? rows.map(({ id }) => id) : [draftId];
}

/**
 * All drafts of a party, locked until the transaction ends, so that adding, removing and submitting happen one after the
 * other.
 */
export async function lockParty(
  tx: Transaction,
  partyId: string,
): Promise<{ row: DraftRow; position: number }[]> {
  await tx.select().from(visaParty).where(eq(visaParty.id, partyId)).for('update');
  return tx
    .select({ row: visaDraft, position: visaDraftParty.position })
    .from(visaDraftParty)
    .innerJoin(visaDraft, eq(visaDraft.id, visaDraftParty.draftId))
    .where(eq(visaDraftParty.partyId, partyId))
    .orderBy(asc(visaDraftParty.position))
    .for('no key update', { of: visaDraft });
}

/** Creates a party of one draft. */
export async function insertParty(tx: Transaction, id: string, draftId: string): Promise<void> {
  await tx.insert(visaParty).values({ id, nextPosition: 2 });
  await tx.insert(visaDraftParty).values({ draftId, partyId: id, position: 1 });
}

/** Adds a draft to a locked party; returns its position. */
export async function joinParty(
  tx: Transaction,
  partyId: string,
  draftId: string,
): Promise<number> {
  const [next] = await tx
    .update(visaParty)
    .set({ nextPosition: sql`${visaParty.nextPosition} + 1` })
    .where(eq(visaParty.id, partyId))
    .returning({ position: sql<number>`${visaParty.nextPosition} - 1` });
  if (!next) throw new Error('The party is gone');
  await tx.insert(visaDraftParty).values({ draftId, partyId, position: next.position });
  return next.position;
}

/** Whether a draft is in no party, as a condition of a statement. */
export const isAlone = (draftId: string): SQL =>
  sql`not exists (select 1 from ${visaDraftParty} where ${visaDraftParty.draftId} = ${draftId})`;

/** Deletes a party whose drafts are submitted. */
export async function deleteParty(tx: Transaction, partyId: string): Promise<void> {
  await tx.delete(visaDraftParty).where(eq(visaDraftParty.partyId, partyId));
  await tx.delete(visaParty).where(eq(visaParty.id, partyId));
}

/** Removes a draft from its party; the draft stays. */
export async function deletePlace(tx: Transaction, draftId: string): Promise<void> {
  await tx.delete(visaDraftParty).where(eq(visaDraftParty.draftId, draftId));
}

/** Lets the browsers and links that open one draft open another instead. */
export async function moveOpeners(tx: Transaction, from: string, to: string): Promise<void> {
  await tx.update(visaDraftDevice).set({ draftId: to }).where(eq(visaDraftDevice.draftId, from));
  await tx.update(visaDraftLink).set({ draftId: to }).where(eq(visaDraftLink.draftId, from));
}

/** Extends the drafts of a party to the same expiry. */
export async function prolongParty(db: Queryable, partyId: string, expiresAt: Date): Promise<void> {
  const members = db
    .select({ id: visaDraftParty.draftId })
    .from(visaDraftParty)
    .where(eq(visaDraftParty.partyId, partyId));
  await db
    .update(visaDraft)
    .set({ expiresAt })
    .where(
      and(
        inArray(visaDraft.id, members),
        lt(visaDraft.expiresAt, expiresAt),
        isNull(visaDraft.applicationNumber),
      ),
    );
}

/** Deletes parties without drafts. */
export async function deleteEmptyParties(db: Queryable): Promise<void> {
  const filled = db.select({ id: visaDraftParty.partyId }).from(visaDraftParty);
  await db.delete(visaParty).where(notInArray(visaParty.id, filled));
}
