import { recipientOf, type Recipient } from '~/features/application/recipient.ts';
import type { Application } from '~/features/application/store.server.ts';
import type { OrderLine } from '~/features/order/order-lines-store.server.ts';
import { orderByNumber, type Order } from '~/features/order/store.server.ts';
import type { Recurring } from '~/platform/jobs/jobs.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { EmailContent } from '../layout/content.server.ts';
import type { Occasion } from '../ledger/store.server.ts';
import type { Words } from './words.server.ts';

/** Writes an email in the language of the words. */
export type WriteEmail = (words: Words) => EmailContent | Promise<EmailContent>;

/** What an email about applications is about, to whom it goes, and how it is written from the data stored by then. */
export type FoundEmail = {
  to: string;
  language: string;
  applicationIds: readonly string[];
  /** Nobody has paid for what it is about: see `mayWriteUnpaid`. */
  isUnpaid?: boolean;
  /** Emails that it refers to or that its recipient expects first: while one of them is to be sent, it waits. */
  after?: readonly Occasion[];
  write: WriteEmail;
};

/** What queues emails of a kind, by the clock. */
type Queues = Recurring & { run: (platform: Platform) => Promise<void> };

/** A kind that is sent from its row in the ledger. */
export type ApplicationKind = {
  /** Finds what is to be said of a subject; null where nothing is any more. */
  find: (platform: Platform, subject: string) => Promise<FoundEmail | null>;
  recurring?: Queues;
};

/** An email about no application; its content is not kept. `about`: see `NewEmail`. */
export type FoundByJob = Pick<FoundEmail, 'to' | 'language' | 'write'> & { about: string };

/** A kind that only its jobs can send, as they alone know the recipient. */
export type JobKind = {
  /** By the name of the job: what its payload asks for; null where nothing is to be sent. */
  jobs: Readonly<
    Record<
      string,
      (platform: Platform, payload: unknown) => Promise<FoundByJob | null> | FoundByJob | null
    >
  >;
  recurring?: Queues;
};

/**
 * To whom an email about an application goes.
 * @throws Error without the application's order, which the database rules out.
 */
export async function recipientFor(
  { db }: Pick<Platform, 'db'>,
  application: Application,
): Promise<Recipient> {
  const order = await orderByNumber(db, application.orderNumber);
  if (!order) throw new Error('An application without an order');
  return recipientOf(application, order);
}

/** An email about one application, to its recipient. */
export async function toTraveller(
  platform: Platform,
  application: Application,
  write: (
    words: Words,
    about: { application: Application; recipient: Recipient },
  ) => EmailContent | Promise<EmailContent>,
  more: Partial<FoundEmail> = {},
): Promise<FoundEmail> {
  const recipient = await recipientFor(platform, application);
  const { to, language } = recipient;
  const about = { application, recipient };
  const applicationIds = [application.id];
  return { to, language, applicationIds, ...more, write: (words) => write(words, about) };
}

/** An email about an order, to its payer. */
export const toPayer = (
  { customerEmail: to, language }: Order,
  applications: readonly Application[],
  write: WriteEmail,
  more: Partial<FoundEmail> = {},
): FoundEmail => ({
  to,
  language,
  applicationIds: applications.map(({ id }) => id),
  ...more,
  write,
});

/** The email that says what was paid comes before those about what follows from it. */
export const afterPayment = (orderNumber: string): Occasion[] => [
  { kind: 'received', about: orderNumber },
];

/** Applications rejected before the payment are no longer part of the order. */
export const stillIn = (lines: readonly OrderLine[], applications: readonly Application[]) =>
  applications.filter(({ number }) => lines.some((line) => line.applicationNumber === number));
