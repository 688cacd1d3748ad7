import { asc, eq, gt, inArray, or, sql, type SQL } from 'drizzle-orm';
import { everyRow } from '~/base/cursor.ts';
import { z } from 'zod';
import { tidyDocumentNumber } from '~/features/application/document-number.ts';
import { passportHashes } from '../queue/search-words.ts';
import { readNumber } from '~/features/application/number.ts';
import { application, applicationEarlierPassport } from '~/features/application/tables.server.ts';
import { everyCase, type PrivacyCase } from './case-store.server.ts';
import type { GivenIdentifiers } from './privacy-case.ts';
import { draft } from '~/features/form/tables.server.ts';
import { insuranceApplication } from '~/features/insurance/store/tables.server.ts';
import { order } from '~/features/order/tables.server.ts';
import { staffAccount } from '~/features/staff/tables.server.ts';
import { visaApplication } from '~/features/visa/store/tables.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';

export type FoundPerson = Awaited<ReturnType<typeof findPerson>>;

type Reader = { db: Queryable; sealer: Sealer };

/**
 * What the number, the address or the passport leads to: applications, orders that somebody with the address pays,
 * drafts, earlier requests, and accounts at the desk. Who shares an address is found with it, so that staff choose what is the person's.
 */
export async function findPerson(reader: Reader, given: GivenIdentifiers) {
  const read = readNumber(given.number);
  const number = read.ok ? read.number : null;
  const email = given.email.trim().toLowerCase();
  const passport = tidyDocumentNumber(given.passport);
  const [applications, orders, drafts, cases, staff] = await Promise.all([
    applicationsOf(reader, { number, email, passport }),
    ordersOf(reader.db, { number, email }),
    draftsOf(reader, { email, passport }),
    casesOf(reader, { number, email, passport }),
    staffOf(reader.db, email),
  ]);
  return { applications, orders, drafts, cases, staff };
}

async function applicationsOf(
  { db, sealer }: Reader,
  { number, email, passport }: { number: string | null; email: string; passport: string },
) {
  const conditions: SQL[] = [];
  if (number !== null)
    conditions.push(eq(application.number, number), eq(application.orderNumber, number));
  if (email !== '') conditions.push(sql`lower(${application.email}) = ${email}`);
  if (passport !== '') {
    const { visa, insurance } = passportHashes(sealer, passport);
    const ids = await Promise.all([
      db
        .select({ id: visaApplication.applicationId })
        .from(visaApplication)
        .where(eq(visaApplication.passportHash, visa)),
      db
        .select({ id: insuranceApplication.applicationId })
        .from(insuranceApplication)
        .where(eq(insuranceApplication.passportHash, insurance)),
      db
        .select({ id: applicationEarlierPassport.applicationId })
        .from(applicationEarlierPassport)
        .where(inArray(applicationEarlierPassport.passportHash, [visa, insurance])),
    ]);
    const found = ids.flat().map(({ id }) => id);
    if (found.length > 0) conditions.push(inArray(application.id, found));
  }
  if (conditions.length === 0) return [];
  const { id, kind, firstName, lastName, dateOfBirth } = application;
  const { number: own, email: address } = application;
  return db
    .select({ id, kind, number: own, firstName, lastName, email: address, dateOfBirth })
    .from(application)
    .where(or(...conditions))
    .orderBy(asc(application.createdAt), asc(id));
}

async function ordersOf(
  db: Queryable,
  { number, email }: { number: string | null; email: string },
) {
  const conditions: SQL[] = [];
  if (number !== null)
    conditions.push(
      eq(order.number, number),
      sql`${order.number} = (select ${application.orderNumber} from ${application} where ${application.number} = ${number})`,
    );
  if (email !== '') conditions.push(sql`lower(${order.customerEmail}) = ${email}`);
  if (conditions.length === 0) return [];
  const { id, customerName, customerEmail } = order;
  return db
    .select({ id, number: order.number, customerName, customerEmail })
    .from(order)
    .where(or(...conditions))
    .orderBy(asc(order.createdAt), asc(id));
}

/** What was given is sealed and has no hash: each request is opened. They are those of three years. */
async function casesOf(
  { db, sealer }: Reader,
  { number, email, passport }: { number: string | null; email: string; passport: string },
): Promise<PrivacyCase[]> {
  const found: PrivacyCase[] = [];
  for await (const one of everyCase(db, sealer)) {
    const { given } = one;
    const read = readNumber(given.number);
    const isTheirs =
      (number !== null && read.ok && read.number === number) ||
      (email !== '' && given.email.trim().toLowerCase() === email) ||
      (passport !== '' && tidyDocumentNumber(given.passport) === passport);
    if (isTheirs) found.push(one);
  }
  return found;
}

async function staffOf(db: Queryable, address: string) {
  if (address === '') return [];
  const { id, name, email } = staffAccount;
  return db
    .select({ id, name, email })
    .from(staffAccount)
    .where(sql`lower(${email}) = ${address}`);
}

const content = z.object({ typed: z.record(z.string(), z.string()) });

/** Answers of drafts are sealed and have no hash: each is opened. They are those of thirty days at most. */
async function draftsOf(
  { db, sealer }: Reader,
  { email, passport }: { email: string; passport: string },
) {
  if (email === '' && passport === '') return [];
  const found: { id: string; createdAt: Date; name: string; email: string }[] = [];
  const drafts = everyRow<typeof draft.$inferSelect>((last, limit) =>
    db
      .select()
      .from(draft)
      .where(last === null ? undefined : gt(draft.id, last.id))
      .orderBy(asc(draft.id))
      .limit(limit),
  );
  for await (const { id, answers, createdAt } of drafts) {
    const { typed } = content.parse(sealer.unsealJson(answers, `draft.answers:${id}`));
    const typedEmail = (typed.email ?? '').trim();
    const isTheirs =
      (email !== '' && typedEmail.toLowerCase() === email) ||
      (passport !== '' && tidyDocumentNumber(typed.passportNumber ?? '') === passport);
    if (!isTheirs) continue;
    const name = [typed.firstName, typed.lastName].filter(Boolean).join(' ');
    found.push({ id, createdAt, name, email: typedEmail });
  }
  return found;
}
