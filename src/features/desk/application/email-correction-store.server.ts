import { randomUUID } from 'node:crypto';
import { asc, eq, inArray } from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import { deskEmailCorrection } from './tables.server.ts';

const content = z.object({ from: z.string(), to: z.string(), why: z.string() });

export type EmailCorrection = {
  id: string;
  staffId: string;
  at: Date;
} & z.infer<typeof content>;

const contextOf = (id: string) => `desk_email_correction.content:${id}`;

/** Stores a correction under the given id, or under another one where that is taken. */
export async function insertEmailCorrection(
  tx: Transaction,
  sealer: Sealer,
  made: {
    id?: string | undefined;
    applicationId: string;
    staffId: string;
    at: Date;
    content: z.infer<typeof content>;
  },
): Promise<void> {
  const id = made.id ?? randomUUID();
  const sealed = sealer.sealJson(made.content, contextOf(id));
  const rows = await tx
    .insert(deskEmailCorrection)
    .values({ ...made, id, content: sealed })
    .onConflictDoNothing({ target: deskEmailCorrection.id })
    .returning({ id: deskEmailCorrection.id });
  if (rows.length === 0) await insertEmailCorrection(tx, sealer, { ...made, id: randomUUID() });
}

/** Oldest first, decrypted. Personal: the caller records the view in the audit trail. */
export async function emailCorrectionsOf(
  db: Queryable,
  sealer: Sealer,
  applicationId: string,
): Promise<EmailCorrection[]> {
  const rows = await db
    .select()
    .from(deskEmailCorrection)
    .where(eq(deskEmailCorrection.applicationId, applicationId))
    .orderBy(asc(deskEmailCorrection.at), asc(deskEmailCorrection.id));
  return rows.map(({ id, staffId, at, content: sealed }) => ({
    id,
    staffId,
    at,
    ...content.parse(sealer.unsealJson(sealed, contextOf(id))),
  }));
}

/** Deletes them with their application. */
export async function deleteEmailCorrections(
  tx: Transaction,
  applicationIds: string[],
): Promise<void> {
  await tx
    .delete(deskEmailCorrection)
    .where(inArray(deskEmailCorrection.applicationId, applicationIds));
}
