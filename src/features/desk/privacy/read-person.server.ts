import { and, eq, inArray, or, asc, gt, sql } from 'drizzle-orm';
import { everyRow } from '~/base/cursor.ts';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { readNumber } from '~/features/application/number.ts';
import {
  application,
  applicationDocument,
  applicationEmail,
} from '~/features/application/tables.server.ts';
import { email } from '~/features/email/ledger/tables.server.ts';
import { draft } from '~/features/form/tables.server.ts';
import { order, orderRefund } from '~/features/order/tables.server.ts';
import { paymentAttempt } from '~/features/payment/tables.server.ts';
import { staffAccount } from '~/features/staff/tables.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { sealingContext } from '~/platform/backup/reencrypt.server.ts';
import type { ChosenData } from './case-store.server.ts';
import type { PersonalTable, PersonIds } from '~/platform/postgres/personal-table.server.ts';
import { personalTables, sealedColumns } from './personal-tables.server.ts';
import { NUMBERS_JOB, readAskedNumbers } from '~/features/status/ask-numbers.server.ts';
import { RESUME_JOB, readResumeAddress } from '~/features/form/draft/resume.server.ts';
import { idempotencyKey } from '~/platform/postgres/tables.server.ts';

type Reader = { db: Queryable; sealer: Sealer };

/** The rows of one table that are a person's: what is shown, and what was sealed, opened. */
type PersonRows = { table: string; rows: Record<string, unknown>[] };

type PersonData = { tables: PersonRows[]; fileIds: string[] };

const asIds = (rows: { id: string }[]) => rows.map(({ id }) => id);

/** The ids by which rows of every table are found that belong to what was chosen. */
export async function personIds(db: Queryable, own: ChosenData): Promise<PersonIds> {
  const applicationIds = [...own.applicationIds];
  const orderIds = [...own.orderIds];
  const applications = await db
    .select({ number: application.number })
    .from(application)
    .where(inArray(application.id, applicationIds));
  const orders = await db
    .select({ number: order.number })
    .from(order)
    .where(inArray(order.id, orderIds));
  const orderNumbers = orders.map(({ number }) => number);
  const numbers = applications.map(({ number }) => number);
  const attempts = await db
    .select({ id: paymentAttempt.id })
    .from(paymentAttempt)
    .where(inArray(paymentAttempt.reference, orderNumbers));
  const documents = await db
    .select({ id: applicationDocument.id })
    .from(applicationDocument)
    .where(inArray(applicationDocument.applicationId, applicationIds));
  const refunds = await db
    .select({ id: orderRefund.id })
    .from(orderRefund)
    .where(inArray(orderRefund.orderId, orderIds));
  // A payer is written to about the other travellers, too.
  const emails = await db
    .selectDistinct({ id: applicationEmail.emailId })
    .from(applicationEmail)
    .innerJoin(application, eq(application.id, applicationEmail.applicationId))
    .where(
      or(inArray(application.id, applicationIds), inArray(application.orderNumber, orderNumbers)),
    );
  // Submitted, a draft stays for some days without its answers.
  const drafts = await db
    .select({ id: draft.id })
    .from(draft)
    .where(inArray(draft.applicationNumber, numbers));
  const accounts = await db
    .select({ email: staffAccount.email })
    .from(staffAccount)
    .where(inArray(staffAccount.id, [...own.staffIds]));
  return {
    applicationIds,
    numbers,
    documentIds: asIds(documents),
    emailIds: asIds(emails),
    orderIds,
    orderNumbers,
    attemptIds: asIds(attempts),
    refundIds: asIds(refunds),
    draftIds: [...new Set([...own.draftIds, ...asIds(drafts)])],
    caseIds: own.caseIds,
    staffIds: own.staffIds,
    staffEmails: accounts.map((one) => one.email),
  };
}

/** In place of what an export does not tell, because it is about somebody else. */
const OF_OTHERS = {
  email: 'sent to another person',
  answer: 'names other people, too',
} as const;

/** Reads everything of a person in all tables. */
export async function readPerson(reader: Reader, ids: PersonIds): Promise<PersonData> {
  const tables: PersonRows[] = [];
  const fileIds: string[] = [];
  for (const table of personalTables) {
    const rows = await rowsOf(reader.db, table, ids);
    for (const row of rows) fileIds.push(...filesOf(table, row));
    const shown = rows.map((row) => shownOf(reader.sealer, table, row));
    if (shown.some((row) => Object.keys(row).length > 0)) {
      tables.push({ table: table.name, rows: shown });
    }
  }
  const own = await addressesOf(reader, ids);
  const { answers, jobs } = await readShortLived(reader, ids);
  const more: PersonRows[] = [
    {
      table: 'idempotency_key',
      rows: answers.map(({ answer, expiresAt }) => ({
        answer: namesOthers(answer, ids) ? OF_OTHERS.answer : answer,
        expiresAt,
      })),
    },
    {
      table: 'job',
      rows: jobs
        .map(jobShown)
        .map((job) =>
          namesOthers(job.payload, ids) ? { ...job, payload: OF_OTHERS.answer } : job,
        ),
    },
  ];
  return {
    tables: [
      ...tables.map(({ table, rows }) => ({
        table,
        rows: rows.map((row) => withoutOthers(table, row, { own, ids })),
      })),
      ...more.filter(({ rows }) => rows.length > 0),
    ],
    fileIds: [...new Set(fileIds)],
  };
}

/** Answers and jobs that name the person; of jobs about emails, those about emails to the person. */
export async function readShortLived(reader: Reader, ids: PersonIds): Promise<ShortLived> {
  const emailIds = await emailsToPerson(reader, ids);
  return findShortLived(reader, {
    ids: [...ids.applicationIds, ...ids.draftIds, ...emailIds],
    numbers: [...ids.numbers, ...ids.orderNumbers],
    addresses: await addressesOf(reader, ids),
  });
}

/** Without the link's secret that is sealed beside the address. */
const jobShown = ({ name, payload, email: address }: FoundJob): Row =>
  address === null ? { name, payload } : { name, payload: { email: address } };

/** How many rows of each table are a person's; tables without any are left out. */
export async function countPerson(
  db: Queryable,
  ids: PersonIds,
): Promise<{ table: PersonalTable; count: number }[]> {
  const counts = [];
  for (const table of personalTables) {
    const where = condition(table, ids);
    if (!where) continue;
    const count = await db.$count(table.table, where);
    if (count > 0) counts.push({ table, count });
  }
  return counts;
}

function condition({ rows }: PersonalTable, ids: PersonIds) {
  const conditions = rows.flatMap(({ column, ids: which, only }) => {
    if (ids[which].length === 0) return [];
    const found = inArray(column, [...ids[which]]);
    return only ? [and(eq(only.column, only.value), found)] : [found];
  });
  return conditions.length === 0 ? null : or(...conditions);
}

type Row = Record<string, unknown>;

async function rowsOf(db: Queryable, of: PersonalTable, ids: PersonIds): Promise<Row[]> {
  const where = condition(of, ids);
  return where ? db.select().from(of.table).where(where) : [];
}

const filesOf = ({ columns }: PersonalTable, row: Row): string[] =>
  columns.flatMap(({ name, class: columnClass }) => {
    const id = row[name];
    return columnClass === 'storedFile' && typeof id === 'string' ? [id] : [];
  });

/** The columns of a row that are handed out, what was sealed opened. */
const shownOf = (sealer: Sealer, of: PersonalTable, row: Row): Row =>
  Object.fromEntries(
    of.columns.flatMap(({ name, column, class: columnClass }): [string, unknown][] => {
      if (columnClass === 'sealed') return [[name, openedOf(sealer, of, row, { name, column })]];
      const isHandedOut = columnClass === 'personal' || columnClass === 'storedFile';
      return isHandedOut ? [[name, row[name] ?? null]] : [];
    }),
  );

function openedOf(
  sealer: Sealer,
  { name: table, columns }: PersonalTable,
  row: Row,
  { name, column }: { name: string; column: AnyPgColumn },
): unknown {
  const bytes = row[name];
  if (!Buffer.isBuffer(bytes)) return null;
  const sealed = sealedColumns.find((one) => one.table === table && one.column === column.name);
  if (!sealed) throw new Error(`${table}.${name} is not among the sealed columns`);
  const key = sealed.key.map(({ name: part }) => {
    const value = row[columns.find((one) => one.column.name === part)?.name ?? ''];
    return Buffer.isBuffer(value) ? value.toString('hex') : String(value);
  });
  const text = sealer.unsealText(bytes, sealingContext(sealed, key));
  return /^[[{]/.test(text) ? parsedOr(text) : text;
}

/** What people write may begin like JSON. */
function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const emailContent = z.object({ to: z.string() });

/** Every address that was the person's, in lower case. */
async function addressesOf({ db }: Reader, ids: PersonIds): Promise<Set<string>> {
  const applications = await db
    .select({ email: application.email })
    .from(application)
    .where(inArray(application.id, [...ids.applicationIds]));
  const orders = await db
    .select({ email: order.customerEmail })
    .from(order)
    .where(inArray(order.id, [...ids.orderIds]));
  return new Set([...applications, ...orders].map((one) => one.email.toLowerCase()));
}

/**
 * An email to somebody else is about that person, too: that it was sent is told, not what it said. The number of an
 * order opens it with all its travellers, so that only its payer gets it.
 */
function withoutOthers(
  table: string,
  row: Row,
  { own, ids }: { own: ReadonlySet<string>; ids: PersonIds },
): Row {
  if (table === 'application') {
    const { orderNumber, ...rest } = row;
    const isOwn = [...ids.orderNumbers, ...ids.numbers].some((number) => number === orderNumber);
    return isOwn ? row : rest;
  }
  if (table !== 'email') return row;
  const read = emailContent.safeParse(row.content);
  if (!read.success || own.has(read.data.to.toLowerCase())) return row;
  return { ...row, content: OF_OTHERS.email };
}

/** Whether a JSON value has the number of an application or order that is not the person's. */
function namesOthers(value: unknown, ids: PersonIds): boolean {
  if (typeof value === 'string') {
    const read = readNumber(value);
    return read.ok && ![...ids.numbers, ...ids.orderNumbers].includes(read.number);
  }
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((inner) => namesOthers(inner, ids));
}

/** Emails among these that were sent to an address of the person. */
export async function emailsToPerson(reader: Reader, ids: PersonIds): Promise<string[]> {
  const own = await addressesOf(reader, ids);
  const rows = await reader.db
    .select({ id: email.id, content: email.content })
    .from(email)
    .where(inArray(email.id, [...ids.emailIds]));
  return rows.flatMap(({ id, content }) => {
    if (content === null) return [];
    const read = emailContent.safeParse(reader.sealer.unsealJson(content, `email.content:${id}`));
    return read.success && own.has(read.data.to.toLowerCase()) ? [id] : [];
  });
}

/** By what answers and jobs of a person are found. */
type Clues = {
  /** Ids of applications, drafts and emails. */
  ids: readonly string[];
  /** Of applications and orders. */
  numbers: readonly string[];
  /** In lower case. */
  addresses: ReadonlySet<string>;
};

type KeptAnswer = { id: Buffer; expiresAt: Date; answer: unknown };
/** `email`: the address that was sealed in the job, where there is one. */
type FoundJob = {
  id: string;
  name: string;
  payload: unknown;
  email: string | null;
};
export type ShortLived = { answers: KeptAnswer[]; jobs: FoundJob[] };

/**
 * What is kept for hours only and may name a person: answers that are kept to repeat them (for a day, sealed) and jobs
 * that wait, run or have failed. Nothing says whose they are, so each is opened. An answer is found by the numbers in it;
 * a job by the id of an application, draft or email, by a number, or by the address that is sealed in it.
 */
export async function findShortLived(reader: Reader, clues: Clues): Promise<ShortLived> {
  return { answers: await answersOf(reader, clues), jobs: await jobsOf(reader, clues) };
}

async function answersOf({ db, sealer }: Reader, clues: Clues): Promise<KeptAnswer[]> {
  const found: KeptAnswer[] = [];
  const kept = everyRow<typeof idempotencyKey.$inferSelect>((last, limit) =>
    db
      .select()
      .from(idempotencyKey)
      .where(last === null ? undefined : gt(idempotencyKey.id, last.id))
      .orderBy(asc(idempotencyKey.id))
      .limit(limit),
  );
  for await (const { id, expiresAt, answer: sealed } of kept) {
    if (!sealed) continue;
    const opened = sealer.unsealJson(sealed, `idempotency_key.answer:${id.toString('hex')}`);
    // The session beside an answer opens the order: it is in no copy of anybody's data.
    const withSession = z.object({ made: z.unknown(), session: z.string() }).safeParse(opened);
    const answer = withSession.success ? withSession.data.made : opened;
    if (names(answer, clues)) found.push({ id, expiresAt, answer });
  }
  return found;
}

async function jobsOf({ db, sealer }: Reader, clues: Clues): Promise<FoundJob[]> {
  const { rows } = await db.execute<Omit<FoundJob, 'email'>>(sql`
    select job.id::text as id, task.identifier as name, job.payload as payload
    from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id`);
  return rows.flatMap((row) => {
    // The simulated partners stand for outside services.
    if (row.name.startsWith('lab.')) return [];
    const email = addressIn(sealer, row);
    const isTheirs =
      names(row.payload, clues) || (email !== null && clues.addresses.has(email.toLowerCase()));
    return isTheirs ? [{ ...row, email }] : [];
  });
}

/** The jobs with an address, which is sealed in them. */
const openers: Readonly<Record<string, (sealer: Sealer, payload: unknown) => string>> = {
  [NUMBERS_JOB]: (sealer, payload) => readAskedNumbers({ sealer }, payload).email,
  [RESUME_JOB]: readResumeAddress,
};

function addressIn(sealer: Sealer, { name, payload }: Pick<FoundJob, 'name' | 'payload'>) {
  try {
    return openers[name]?.(sealer, payload) ?? null;
  } catch {
    // Failed for good and sealed with a key that is gone since: nobody can read it.
    return null;
  }
}

/** Whether a JSON value has one of the clues as a text somewhere in it. */
function names(value: unknown, clues: Clues): boolean {
  if (typeof value === 'string') {
    return (
      clues.ids.includes(value) ||
      clues.numbers.includes(value) ||
      clues.addresses.has(value.toLowerCase())
    );
  }
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((inner) => names(inner, clues));
}

/**
 * Deletes answers and jobs. The same request with the same key is carried out anew afterwards; a job that runs at this
 * moment stays and finds nothing to do.
 */
export async function eraseShortLived(
  tx: Transaction,
  { answers, jobs }: ShortLived,
): Promise<void> {
  if (answers.length > 0) {
    const ids = answers.map(({ id }) => id);
    await tx.delete(idempotencyKey).where(inArray(idempotencyKey.id, ids));
  }
  for (const { id } of jobs) {
    await tx.execute(sql`select graphile_worker.complete_jobs(array[${id}::bigint])`);
  }
}
