import { DAY_MS } from './dates/dates.ts';

type Period = { years: number } | { days: number };

type Kept = Period & {
  /** From when the period counts. */
  since: string;
  /** What is deleted then. */
  deletes: string;
  /** What obliges or allows us to keep it so long; left out where nothing but our own promise does. */
  law?: string;
  /** The job that deletes it; null where nothing is deleted yet, because nothing is old enough. */
  job: string | null;
};

/**
 * How long each kind of data is kept: the one table that the jobs which delete and the published figures read. Class by
 * class it is the data protection (KVKK) table. Visa and insurance are the least; administrators may set more.
 */
export const retention = {
  visa: {
    years: 5,
    since: 'its last event',
    deletes: 'a visa application with its answers, documents, notes, e-mails and history',
    law: 'contracts of service lapse after five years, at the latest after ten (Code of Obligations, No. 6098, art. 146 and 147)',
    job: 'retention.enforce',
  },
  insurance: {
    years: 10,
    since: 'its last event',
    deletes:
      'an insurance application with its answers, photos, certificate, notes, e-mails and history',
    law: 'merchants keep their papers for ten years (Commercial Code, No. 6102, art. 82)',
    job: 'retention.enforce',
  },
  communication: {
    years: 2,
    since: 'it was written',
    deletes: 'what an e-mail said, and that it was sent',
    job: 'email.delete_expired',
  },
  logs: {
    years: 1,
    since: 'it happened',
    deletes:
      'entries of the audit trail, by whole sealed days; the database refuses to delete earlier ones',
    law: 'a controller has to keep data secure, to check who uses it, and to prove that (Law No. 6698, art. 12; GDPR, art. 5(2) and 32)',
    job: 'staff.delete_expired',
  },
  ledger: {
    years: 10,
    since: 'the payment',
    deletes: 'orders, payments, refunds, receipts and reports of the comparison with partners',
    law: 'tax law',
    job: null,
  },
  draft: {
    days: 30,
    since: 'the last change',
    deletes: 'answers of a form that were never submitted, their photos, and links to them',
    job: 'form.delete_drafts',
  },
  payerDevice: {
    days: 365,
    since: 'the link was opened',
    deletes: 'hashes of the sessions of a payer’s further browsers, long after those ended',
    job: 'order.purge_payer_devices',
  },
  deskUpload: {
    days: 1,
    since: 'the upload',
    deletes: 'PDFs that staff uploaded and did not use, with their names and what was read in them',
    job: 'desk.delete_uploads',
  },
  deskDraft: {
    days: 1,
    since: 'it was written',
    deletes:
      'decisions and messages that were looked at and not sent, and how sent ones could be undone',
    job: 'desk.delete_uploads',
  },
  staffSession: {
    days: 1,
    since: 'it was over',
    deletes: 'sessions of staff',
    job: 'staff.delete_expired',
  },
  passwordLink: {
    days: 1,
    since: 'it was over',
    deletes: 'hashes of links to a new password',
    job: 'staff.delete_expired',
  },
  privacyCase: {
    years: 3,
    since: 'it was closed; a record of a deletion: since the deletion',
    deletes: 'requests about personal data with their answers, and records of what was deleted',
    law: 'what is done to erase data is recorded, and the record kept for three years at least (By-law on the erasure of personal data of 28 October 2017, art. 7)',
    job: 'desk.delete_privacy_cases',
  },
  idempotencyKey: {
    days: 1,
    since: 'the first request',
    deletes: 'sealed answers that a repeated request gets again',
    job: 'platform.delete_keys',
  },
} as const satisfies Record<string, Kept>;

export type RetentionKind = keyof typeof retention;

/** Kinds that are kept for days. */
type KeptForDays = {
  [K in RetentionKind]: (typeof retention)[K] extends { days: number } ? K : never;
}[RetentionKind];

/** So long a kind is kept, in milliseconds. */
export const retentionMs = (kind: KeptForDays): number => retention[kind].days * DAY_MS;

/** The moment before which nothing of a kind is kept. */
export function retentionStart(kind: RetentionKind, now: Date): Date {
  const period: Period = retention[kind];
  return 'years' in period
    ? subtractYears(now, period.years)
    : new Date(now.getTime() - period.days * DAY_MS);
}

/** For kinds whose years administrators have set. */
export function subtractYears(now: Date, years: number): Date {
  const moment = new Date(now);
  moment.setUTCFullYear(moment.getUTCFullYear() - years);
  return moment;
}
