import { asc, gt, inArray, sql } from 'drizzle-orm';
import { union } from 'drizzle-orm/pg-core';
import { applicationDocument } from '~/features/application/tables.server.ts';
import { deskUpload } from '~/features/desk/application/tables.server.ts';
import { caseMessageFile } from '~/features/application/messages/tables.server.ts';
import { insurancePhoto } from '~/features/insurance/store/tables.server.ts';
import type { Database } from '~/platform/postgres/database.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';

const PAGE = 1000;

/** A file that rows lead to, with what they know of its bytes. */
export type KnownFile = {
  id: string;
  size: number;
  /** Whether these are its bytes, where a row holds their hash. */
  holds?: (bytes: Buffer) => boolean;
};

type Row = { key: string; id: string; size: number; hash: Buffer | null };

/** Every file that a row refers to, page by page; one that was uploaded and then delivered is listed twice. */
export async function* knownFiles(db: Database, sealer: Sealer): AsyncGenerator<KnownFile> {
  for (const read of [documents, uploads, unhashed(insurancePhoto), unhashed(caseMessageFile)]) {
    for (let after: string | null = null; ;) {
      const rows: Row[] = await read(db, after);
      for (const { id, size, hash } of rows) {
        // A photo's hash is of what was sent, not of the picture that was drawn from it.
        const holds = (bytes: Buffer) =>
          hash?.equals(sealer.keyedHash(bytes, 'application_document.content')) ?? true;
        yield { id, size, holds };
      }
      if (rows.length < PAGE) break;
      after = rows.at(-1)?.key ?? null;
    }
  }
}

const documents = (db: Database, after: string | null): Promise<Row[]> =>
  db
    .select({
      key: applicationDocument.id,
      id: applicationDocument.fileId,
      size: applicationDocument.size,
      hash: applicationDocument.contentHash,
    })
    .from(applicationDocument)
    .where(after === null ? undefined : gt(applicationDocument.id, after))
    .orderBy(asc(applicationDocument.id))
    .limit(PAGE);

const uploads = (db: Database, after: string | null): Promise<Row[]> =>
  db
    .select({
      key: deskUpload.fileId,
      id: deskUpload.fileId,
      size: deskUpload.size,
      hash: deskUpload.contentHash,
    })
    .from(deskUpload)
    .where(after === null ? undefined : gt(deskUpload.fileId, after))
    .orderBy(asc(deskUpload.fileId))
    .limit(PAGE);

const unhashed =
  (table: typeof insurancePhoto | typeof caseMessageFile) =>
  (db: Database, after: string | null): Promise<Row[]> =>
    db
      .select({ key: table.id, id: table.fileId, size: table.size, hash: sql<null>`null` })
      .from(table)
      .where(after === null ? undefined : gt(table.id, after))
      .orderBy(asc(table.id))
      .limit(PAGE);

/** Those with a column of files. */
const tables = [applicationDocument, deskUpload, insurancePhoto, caseMessageFile];

/** The id of every file that a row refers to, each once, in the order of the ids. */
export async function* knownFileIds(db: Database): AsyncGenerator<string> {
  for (let after: string | null = null; ;) {
    const ids: string[] = await nextIds(db, after);
    yield* ids;
    if (ids.length < PAGE) return;
    after = ids.at(-1) ?? null;
  }
}

async function nextIds(db: Database, after: string | null): Promise<string[]> {
  const [first, second, ...others] = tables.map((table) =>
    db
      .select({ id: table.fileId })
      .from(table)
      .where(after === null ? undefined : gt(table.fileId, after))
      .orderBy(asc(table.fileId))
      .limit(PAGE),
  );
  if (!first || !second) return [];
  const rows = await union(first, second, ...others)
    .orderBy(sql`1`)
    .limit(PAGE);
  return rows.map(({ id }) => id);
}

/** Those of these files that a row still refers to: retention and visitors delete some during a run. */
export async function filterKnownFiles(db: Database, ids: readonly string[]): Promise<Set<string>> {
  const found = await Promise.all(
    tables.map((table) =>
      db
        .select({ id: table.fileId })
        .from(table)
        .where(inArray(table.fileId, [...ids])),
    ),
  );
  return new Set(found.flat().map(({ id }) => id));
}
