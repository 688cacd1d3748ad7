import { and, asc, desc, eq, gte, lt, sql } from 'drizzle-orm';
import { jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';

/** Made by `db/simulated-partners.sql`, in test mode only; left out of backups. */
const document = pgTable(
  'simulated_document',
  {
    partner: text({ enum: ['gateway', 'paypal', 'stripe'] }).notNull(),
    kind: text().notNull(),
    id: text().notNull(),
    body: jsonb().notNull(),
  },
  (t) => [primaryKey({ columns: [t.partner, t.kind, t.id] })],
);

/** A moment in a document: text in the table. */
export const storedMoment = z.date().or(z.iso.datetime().transform((stored) => new Date(stored)));

/**
 * The documents of one kind of one partner, checked against `shape` whenever they are written or read. `id` is unique
 * among them. Those with given fields are found by the index, whatever the fields are.
 */
export function documents<Body extends { createdAt: Date }, Given>(of: {
  partner: typeof document.$inferSelect.partner;
  kind: string;
  shape: z.ZodType<Body, Given>;
  id: (body: Body) => string;
}) {
  const { partner, kind, shape } = of;
  const ours = and(eq(document.partner, partner), eq(document.kind, kind));
  const named = (id: string) => and(ours, eq(document.id, id));
  const having = (fields: Partial<Body>) =>
    and(ours, sql`${document.body} @> ${JSON.stringify(fields)}::jsonb`);
  const read = (rows: { body: unknown }[]) => rows.map(({ body }) => shape.parse(body));
  const createdAt = sql`${document.body}->>'createdAt'`;

  return {
    /** Stores one; null where its id is known, whose document then stays as it is. */
    async insert(db: Queryable, given: Given): Promise<Body | null> {
      const body = shape.parse(given);
      const rows = await db
        .insert(document)
        .values({ partner, kind, id: of.id(body), body })
        .onConflictDoNothing()
        .returning({ body: document.body });
      return read(rows)[0] ?? null;
    },

    async get(db: Queryable, id: string): Promise<Body | null> {
      const rows = await db.select({ body: document.body }).from(document).where(named(id));
      return read(rows)[0] ?? null;
    },

    /** Locked until the transaction ends. */
    async lock(tx: Transaction, id: string): Promise<Body | null> {
      const rows = await tx
        .select({ body: document.body })
        .from(document)
        .where(named(id))
        .for('no key update');
      return read(rows)[0] ?? null;
    },

    /**
     * Those with these fields, by when they were created, oldest first unless `newestFirst`. `between`: whose moment of
     * that name is from `from` on and before `to`.
     */
    async list(
      db: Queryable,
      fields: Partial<Body>,
      options: { newestFirst?: boolean; between?: { moment: string; from: Date; to: Date } } = {},
    ): Promise<Body[]> {
      const { newestFirst = false, between } = options;
      const order = newestFirst ? desc : asc;
      // Stored moments sort as text.
      const moment = sql`${document.body}->>${between?.moment}::text`;
      const rows = await db
        .select({ body: document.body })
        .from(document)
        .where(
          and(
            having(fields),
            between && gte(moment, between.from.toISOString()),
            between && lt(moment, between.to.toISOString()),
          ),
        )
        .orderBy(order(createdAt), order(document.id));
      return read(rows);
    },

    /** Changes fields of one, where it has the fields `from` by then; null where it has not. */
    async change(
      db: Queryable,
      id: string,
      fields: Partial<Body>,
      from: Partial<Body> = {},
    ): Promise<Body | null> {
      const rows = await db
        .update(document)
        .set({ body: sql`${document.body} || ${JSON.stringify(fields)}::jsonb` })
        .where(and(eq(document.id, id), having(from)))
        .returning({ body: document.body });
      return read(rows)[0] ?? null;
    },

    /** Deletes the oldest one with these fields that nobody else is deleting. */
    async takeOldest(db: Queryable, fields: Partial<Body>): Promise<Body | null> {
      const oldest = db
        .select({ id: document.id })
        .from(document)
        .where(having(fields))
        .orderBy(createdAt)
        .limit(1)
        .for('no key update', { skipLocked: true });
      const rows = await db
        .delete(document)
        .where(and(ours, eq(document.id, sql`(${oldest})`)))
        .returning({ body: document.body });
      return read(rows)[0] ?? null;
    },
  };
}
