import { asc, eq } from 'drizzle-orm';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { staffPasskey } from '../tables.server.ts';

export type Passkey = typeof staffPasskey.$inferSelect;

export const passkeysOf = (db: Queryable, accountId: string): Promise<Passkey[]> =>
  db
    .select()
    .from(staffPasskey)
    .where(eq(staffPasskey.accountId, accountId))
    .orderBy(asc(staffPasskey.createdAt));
