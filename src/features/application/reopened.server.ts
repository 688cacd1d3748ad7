import { z } from 'zod';
import { type Money, add } from '~/base/money.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { queueEmail } from '~/features/email/ledger/store.server.ts';
import { findOrder } from '~/features/order/checkout.server.ts';
import { linesByOrder, type NewLine, type Order } from '~/features/order/store.server.ts';
import {
  changeOrder,
  lockPayments,
  lockUnpaid,
  unchangeable,
  type Unchangeable,
} from '~/features/order/payer/change-order.server.ts';
import { isPayer } from '~/features/order/payer/payer.server.ts';
import { payerSessionHash } from '~/features/order/payer/session.server.ts';
import { replaceLines } from '~/features/order/replace-lines.ts';
import { attemptsByReference } from '~/features/payment/settlement/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { moveEmail } from './change-email.server.ts';
import {
  correctionById,
  markAnswered,
  type Correction,
  resumeClock,
} from './correction/correction-store.server.ts';
import type { AnswerChange } from './correction/correction.ts';
import { fullName } from './full-name.ts';
import { readNumber } from './number.ts';
import { isInsuredAlone, isSameTraveller } from './travellers.ts';
import {
  addEvent,
  applicationById,
  applicationByNumber,
  applicationsByOrder,
  lockApplication,
  type Application,
} from './store.server.ts';

/*
 * Answers that are open again under their application's number. Before payment its payer opens all of them, by the
 * browser that placed the order; storing them prices the order anew. After payment the desk opens those that it asks
 * for, by a link in an email; storing them ends the pause and tells the traveller. Either is stored whole, once, with
 * the locks that settling and deciding take, or not at all.
 */

/** unknown: no such application of this form. not_payer: another browser placed its order. decided: staff have decided it. */
export type ChangeRefusal = Unchangeable | 'unknown' | 'not_payer' | 'decided';

export type Changeable = { order: Order; application: Application };

/**
 * Finds the unpaid application that a number names, of its traveller or its order, for the browser that may change it.
 * An insurance beside its traveller's e-visa is changed together with that. A browser that is not the payer's learns only
 * that.
 */
export async function findChangeable(
  platform: Platform,
  request: Request,
  typed: string,
  kind: Application['kind'],
): Promise<Outcome<Changeable, ChangeRefusal>> {
  const read = readNumber(typed);
  const order = read.ok ? await findOrder(platform, read.number) : null;
  if (!read.ok) return refused('unknown');
  // Whether a number exists is not told to a browser that is not the payer's.
  const isOwn = order && (await isPayer(platform.db, payerSessionHash(platform, request), order));
  if (!order || !isOwn) return refused('not_payer');
  const together = await applicationsByOrder(platform.db, order.number);
  const own = together.filter(
    (one) => one.kind === kind && (kind === 'visa' || isInsuredAlone(one, together)),
  );
  const named = together.find(({ number }) => number === read.number);
  const application = named ? own.find((one) => isSameTraveller(one, named)) : own[0];
  if (!application) return refused('unknown');
  const why = unchangeable(order, await attemptsByReference(platform.db, order.number));
  if (why) return refused(why);
  return application.status === 'pending' ? ok({ order, application }) : refused('decided');
}

/** New answers of an unpaid application. */
type ChangeToApply = {
  number: string;
  person: { firstName: string; lastName: string; email: string };
  language: string;
  /** Of the browser that submits. */
  sessionHash: Buffer | null;
  now: Date;
  /** Locks the insurances of the order, in the order in which decisions take their locks. */
  lockInsurances: (tx: Transaction, together: readonly Application[]) => Promise<unknown>;
  /** Stores the answers; returns the order lines that pay for them, and of which applications they replace those. */
  store: (
    application: Application,
    together: readonly Application[],
  ) => Promise<{ lines: readonly NewLine[]; numbers: readonly string[] }>;
};

/**
 * Stores new answers of an unpaid application under its number, with its order at the prices of this moment. Nothing is
 * changed where it is refused. `hasMoved`: the email address changed.
 */
export async function applyChange(
  tx: Transaction,
  { number, person, language, sessionHash, now, lockInsurances, store }: ChangeToApply,
): Promise<Outcome<{ id: string; totalAmount: Money; hasMoved: boolean }, ChangeRefusal>> {
  const known = await applicationByNumber(tx, number);
  if (!known) return refused('unknown');
  await lockPayments(tx, known.orderNumber);
  const together = await applicationsByOrder(tx, known.orderNumber);
  await lockInsurances(tx, together);
  for (const { id } of together) await lockApplication(tx, id);
  const held = await lockUnpaid(tx, known.orderNumber);
  if (!held.ok) return held;
  const order = held.value;
  if (!(await isPayer(tx, sessionHash, order))) return refused('not_payer');
  const application = await applicationByNumber(tx, number);
  if (application?.status !== 'pending') return refused('decided');
  const { id: applicationId } = application;
  const { email } = person;
  const before = await linesByOrder(tx, order.id);
  const hasMoved = await moveEmail(tx, { applicationId, email, order, sessionHash, now });
  const replaced = await store(application, together);
  const lines = replaceLines(before, replaced.numbers, replaced.lines);
  // The first of several travellers pays, whoever's answers are changed.
  const customer =
    application.travellerPosition === 1
      ? { name: fullName(person), email }
      : { name: order.customerName, email: order.customerEmail };
  await changeOrder(tx, order, { language, customer, by: sessionHash, lines }, now);
  const totalAmount = add(...lines.map(({ amount }) => amount));
  return ok({ id: applicationId, totalAmount, hasMoved });
}

/**
 * `answered`: an earlier answer used the link. `over`: the link has expired, or staff have closed the request or
 * decided the application.
 */
export type CorrectionOver = 'answered' | 'over';

/** What the controls of a correction hold, by control name, valid or not. */
type Typed = Readonly<Record<string, string>>;

/** What became of a traveller's answer. `typed`: the page is only shown again, in another language or without a photo. */
export type CorrectionAnswer<Problem> =
  | { kind: 'done' }
  | { kind: 'over'; why: CorrectionOver }
  | { kind: 'typed'; typed: Typed }
  | { kind: 'problems'; problems: Problem[]; typed: Typed }
  /** The answer changes nothing: the link stays valid. */
  | { kind: 'unchanged'; typed: Typed };

const PURPOSE = 'correction';
const signed = z.object({ correctionId: z.uuid(), emailVersion: z.number() });

/** Where the fields of a kind are corrected. */
const places = { visa: 'application/correct', insurance: 'insurance/correct' } as const;

/** The address for the email. It opens only the reopened fields, until they are answered or the link expires. */
export function correctionAddress(
  { config, signer }: Pick<Platform, 'config' | 'signer'>,
  { id, answerBy }: Correction,
  { kind, language, emailVersion }: Pick<Application, 'kind' | 'language' | 'emailVersion'>,
): string {
  const token = signer.sign({ correctionId: id, emailVersion }, PURPOSE, answerBy);
  return `${config.publicUrl}/${language}/${places[kind]}/${token}`;
}

/** What a link opens, and the names of the fields to correct. */
export async function findCorrection(
  platform: Platform,
  token: string,
): Promise<
  Outcome<{ correction: Correction; application: Application; names: string[] }, CorrectionOver>
> {
  const verified = platform.signer.verify(token, PURPOSE, platform.now());
  const read = signed.safeParse(verified.ok ? verified.payload : null);
  if (!read.success) return refused('over');
  const correction = await correctionById(platform.db, read.data.correctionId);
  const over = correctionEnd(correction);
  if (!correction || over) return refused(over ?? 'over');
  const application = await applicationById(platform.db, correction.applicationId);
  if (!application || application.decidedAt) return refused('over');
  if (application.emailVersion !== read.data.emailVersion) return refused('over');
  return ok({ correction, application, names: reopenedNames(correction, application) });
}

/** A single name is stored as both names, so that neither is corrected without the other. */
function reopenedNames({ fields }: Correction, { firstName, lastName }: Application): string[] {
  const both = ['lastName', 'firstName'];
  const isSingle = firstName === lastName && both.some((name) => fields.includes(name));
  return isSingle ? [...new Set([...fields, ...both])] : fields;
}

/** Why a correction takes no answer any more; null while it does. */
function correctionEnd(correction: Correction | null): CorrectionOver | null {
  if (correction?.answeredAt) return 'answered';
  return !correction || correction.closedAt ? 'over' : null;
}

/** What the application would be with the traveller's corrections. */
export type CheckedCorrection<Problem> = {
  problems: Problem[];
  changes: readonly AnswerChange[];
  store: (tx: Transaction) => Promise<void>;
};

/** Stores a traveller's corrections once: all of them, after which the promised moment counts on, or none. */
export function applyCorrection<Problem>(
  { db, sealer, now }: Pick<Platform, 'db' | 'sealer' | 'now'>,
  { id, applicationId }: Correction,
  typed: Typed,
  {
    lock = async () => undefined,
    check,
  }: {
    /** Locks whatever must be locked before the application, in the order in which decisions take their locks. */
    lock?: (tx: Transaction, applicationId: string) => Promise<unknown>;
    /** Checks the answers against those stored now; null where these are gone. */
    check: (
      tx: Transaction,
      application: Application,
      at: Date,
    ) => Promise<CheckedCorrection<Problem> | null>;
  },
): Promise<CorrectionAnswer<Problem>> {
  const at = now();
  return db.transaction(async (tx): Promise<CorrectionAnswer<Problem>> => {
    await lock(tx, applicationId);
    // Locked first, as a decision does, so that the two run one after the other.
    const application = await lockApplication(tx, applicationId);
    if (!application || application.decidedAt) return { kind: 'over', why: 'over' };
    const over = correctionEnd(await correctionById(tx, id));
    if (over) return { kind: 'over', why: over };
    const checked = await check(tx, application, at);
    if (!checked) return { kind: 'over', why: 'over' };
    const { problems, changes, store } = checked;
    if (problems.length > 0) return { kind: 'problems', problems, typed };
    if (changes.length === 0) return { kind: 'unchanged', typed };
    await markAnswered(tx, sealer, { id, at, changes });
    await store(tx);
    await resumeClock(tx, application, at);
    await addEvent(tx, { applicationId, kind: 'correction_answered', at });
    await queueEmail(tx, { kind: 'correction_ended', about: id, createdAt: at });
    return { kind: 'done' };
  });
}

/**
 * Locks the application until the transaction ends, so that nobody answers the correction or decides meanwhile; false
 * where either was done before, or staff have closed the correction.
 */
export async function lockOpenCorrection(
  tx: Transaction,
  { id, applicationId }: Correction,
): Promise<boolean> {
  const application = await lockApplication(tx, applicationId);
  return application?.decidedAt === null && correctionEnd(await correctionById(tx, id)) === null;
}
