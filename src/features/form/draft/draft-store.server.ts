import { and, eq, gt, inArray, isNotNull, isNull, lte, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { prepareOnce } from '~/platform/postgres/prepare-once.server.ts';
import { knownChanges } from '~/platform/postgres/statement-text.server.ts';
import { UNNAMED } from '~/platform/postgres/statements.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { rowOf, storeTogether } from '~/platform/postgres/store-together.server.ts';
import type { DraftTables } from './draft-tables.server.ts';

export type DraftRow = DraftTables['draft']['$inferSelect'];
type NewDraft = DraftTables['draft']['$inferInsert'];

/** The drafts of one kind of form. */
export function draftStore({ draft, device, link }: DraftTables) {
  const isOpen = (tokenHash: Buffer, now: Date) =>
    and(eq(link.tokenHash, tokenHash), isNull(link.usedAt), gt(link.expiresAt, now));

  const ofDevice = prepareOnce((db) =>
    db
      .select({ draft })
      .from(device)
      .innerJoin(draft, eq(draft.id, device.draftId))
      .where(
        and(
          eq(device.tokenHash, sql.placeholder('tokenHash')),
          isNull(device.endedAt),
          gt(draft.expiresAt, sql.placeholder('now')),
        ),
      )
      .prepare(UNNAMED),
  );

  const change = knownChanges(
    draft,
    sql`${eq(draft.id, sql.placeholder('id'))} and ${eq(draft.version, sql.placeholder('known'))}
      and ${isNull(draft.applicationNumber)}`,
  );

  return {
    /** Inserts a draft with the first browser that may open it, in one statement. */
    async insertDraft(
      db: Queryable,
      row: NewDraft,
      first: DraftTables['device']['$inferInsert'],
    ): Promise<void> {
      await storeTogether(db, { rows: [rowOf(draft, row), rowOf(device, first)] });
    },

    /** Inserts a draft without a browser of its own. */
    async insertDraftAlone(tx: Transaction, row: NewDraft): Promise<void> {
      await tx.insert(draft).values(row);
    },

    /** Inserts a draft without a browser of its own, or extends the one that has its id, and locks it. */
    async insertOrExtendDraft(tx: Transaction, row: NewDraft): Promise<void> {
      const { expiresAt } = row;
      await tx
        .insert(draft)
        .values(row)
        .onConflictDoUpdate({ target: draft.id, set: { expiresAt } });
    },

    async insertDevice(tx: Transaction, row: DraftTables['device']['$inferInsert']): Promise<void> {
      await tx.insert(device).values(row);
    },

    /** The draft that a browser's token opens, until it expires. */
    async draftOfDevice(db: Queryable, tokenHash: Buffer, now: Date): Promise<DraftRow | null> {
      const [row] = await ofDevice(db).execute({ tokenHash, now });
      return row?.draft ?? null;
    },

    /** Whether a browser's token opened a draft until a link opened that elsewhere. */
    async isEnded(db: Queryable, tokenHash: Buffer): Promise<boolean> {
      const ended = and(eq(device.tokenHash, tokenHash), isNotNull(device.endedAt));
      return (await db.$count(device, ended)) > 0;
    },

    /** Ends the access of every browser of these drafts, and all their unused links. */
    async endOpeners(tx: Transaction, ids: string[], now: Date): Promise<void> {
      await tx
        .update(device)
        .set({ endedAt: now })
        .where(and(inArray(device.draftId, ids), isNull(device.endedAt)));
      await tx.delete(link).where(and(inArray(link.draftId, ids), isNull(link.usedAt)));
    },

    /** Locks a draft until the transaction ends, so that two tabs write one after the other. */
    async lockDraft(tx: Transaction, id: string): Promise<DraftRow | null> {
      const [row] = await tx.select().from(draft).where(eq(draft.id, id)).for('no key update');
      return row ?? null;
    },

    /**
     * SQL that closes a draft as part of another statement: returns a row where the draft was closed. `and`: a further condition.
     */
    closeDraftSql(
      { id, version }: Pick<DraftRow, 'id' | 'version'>,
      { answers, applicationNumber }: Required<Pick<NewDraft, 'answers' | 'applicationNumber'>>,
      and: SQL,
    ): SQL {
      const set = (column: PgColumn, value: unknown) =>
        sql`${sql.identifier(column.name)} = ${sql.param(value, column)}`;
      return sql`update ${draft} set ${set(draft.answers, answers)}, ${set(draft.version, version + 1)},
        ${set(draft.applicationNumber, applicationNumber)}, ${set(draft.changing, null)}
        where ${draft.id} = ${id} and ${draft.version} = ${version} and ${draft.applicationNumber} is null and ${and}
        returning 1`;
    },

    async draftById(db: Queryable, id: string): Promise<DraftRow | null> {
      const [row] = await db.select().from(draft).where(eq(draft.id, id));
      return row ?? null;
    },

    /**
     * Changes a draft that is not submitted and still has the version that was read; otherwise returns false and
     * changes nothing.
     */
    async changeDraft(
      db: Queryable,
      { id, version }: Pick<DraftRow, 'id' | 'version'>,
      values: Partial<NewDraft>,
    ): Promise<boolean> {
      const { rowCount } = await db.execute(change(values, { id, known: version }));
      return rowCount === 1;
    },

    async updateDraft(tx: Transaction, id: string, values: Partial<NewDraft>): Promise<DraftRow> {
      const [row] = await tx.update(draft).set(values).where(eq(draft.id, id)).returning();
      if (!row) throw new Error('The draft is gone');
      return row;
    },

    /** Expired drafts, locked until the transaction ends; at most `atMost`. */
    async expiredDrafts(tx: Transaction, now: Date, atMost: number): Promise<string[]> {
      const old = await tx
        .select({ id: draft.id })
        .from(draft)
        .where(lte(draft.expiresAt, now))
        .limit(atMost)
        .for('no key update', { skipLocked: true });
      return old.map(({ id }) => id);
    },

    /** With their devices and links. */
    async deleteDrafts(tx: Transaction, ids: string[]): Promise<void> {
      if (ids.length > 0) await tx.delete(draft).where(inArray(draft.id, ids));
    },

    async insertLink(tx: Transaction, row: DraftTables['link']['$inferInsert']): Promise<void> {
      await tx.insert(link).values(row);
    },

    async deleteLinks(tx: Transaction, draftId: string): Promise<void> {
      await tx.delete(link).where(and(eq(link.draftId, draftId), isNull(link.usedAt)));
    },

    /** The draft that an unused link would open. */
    async draftOfLink(db: Queryable, tokenHash: Buffer, now: Date): Promise<DraftRow | null> {
      const [row] = await db
        .select({ draft })
        .from(link)
        .innerJoin(draft, eq(draft.id, link.draftId))
        .where(and(isOpen(tokenHash, now), gt(draft.expiresAt, now)));
      return row?.draft ?? null;
    },

    /** Consumes a link and returns the draft it opens; null when it was used before or has expired. */
    async spendLink(tx: Transaction, tokenHash: Buffer, now: Date): Promise<string | null> {
      const [row] = await tx
        .update(link)
        .set({ usedAt: now })
        .where(isOpen(tokenHash, now))
        .returning({ draftId: link.draftId });
      return row?.draftId ?? null;
    },
  };
}

export type DraftStore = ReturnType<typeof draftStore>;
