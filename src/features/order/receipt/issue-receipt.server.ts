import { DAY_MS } from '~/base/dates/dates.ts';
import { z } from 'zod';
import { isLanguage } from '~/base/languages.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { orderById, type Order, type OrderLine, linesByOrder } from '../store.server.ts';
import { oncePerPool } from '~/platform/postgres/prepare-once.server.ts';
import { makeLimiter } from '~/platform/http/rate-limit.server.ts';
import { operatorInForce } from '~/features/settings/operator.server.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import { randomUUID } from 'node:crypto';
import { attemptById, eventsByAttempt } from '~/features/payment/settlement/store.server.ts';
import type { Config } from '~/platform/config/config.server.ts';
import type { Transaction, Queryable } from '~/platform/postgres/database.server.ts';
import {
  type ReceiptFacts,
  type ReceiptTraveller,
  receiptNumber,
  type ReceiptKind,
} from './receipt-facts.ts';
import { queueEmail } from '~/features/email/ledger/store.server.ts';
import { linesByRefunds, orderRefundById } from '../refunds/order-refund-store.server.ts';
import type { RefundCause, RefundReason } from '../refund-policy.ts';
import { and, asc, eq, sql } from 'drizzle-orm';
import { order, orderReceipt, receiptCounter } from '../tables.server.ts';

export type Receipt = typeof orderReceipt.$inferSelect;

export const storedReceiptNumber = ({
  kind,
  year,
  serial,
}: Pick<Receipt, 'kind' | 'year' | 'serial'>) => receiptNumber(kind, year, serial);

/**
 * The next number of a kind in a year. It locks the counter's row until the transaction ends, so call it last: all
 * others who need a number wait.
 */
async function nextSerial(tx: Transaction, kind: ReceiptKind, year: number) {
  const [row] = await tx
    .insert(receiptCounter)
    .values({ kind, year, last: 1 })
    .onConflictDoUpdate({
      target: [receiptCounter.kind, receiptCounter.year],
      set: { last: sql`${receiptCounter.last} + 1` },
    })
    .returning({ last: receiptCounter.last });
  if (!row) throw new Error('The counter of receipts gave no number');
  return row.last;
}

export async function insertReceipt(tx: Transaction, row: typeof orderReceipt.$inferInsert) {
  await tx.insert(orderReceipt).values(row);
}

export async function receiptById(db: Queryable, id: string): Promise<Receipt | null> {
  const [row] = await db.select().from(orderReceipt).where(eq(orderReceipt.id, id));
  return row ?? null;
}

/** The receipt of an order and its credit notes, in the order of issue. */
export async function receiptsByOrder(db: Queryable, orderId: string): Promise<Receipt[]> {
  return db
    .select()
    .from(orderReceipt)
    .where(eq(orderReceipt.orderId, orderId))
    .orderBy(asc(orderReceipt.issuedAt), sql`${orderReceipt.kind} desc`, asc(orderReceipt.serial));
}

export async function creditNoteByRefund(db: Queryable, refundId: string): Promise<Receipt | null> {
  const [row] = await db.select().from(orderReceipt).where(eq(orderReceipt.refundId, refundId));
  return row ?? null;
}

/** The order that a receipt or credit note is about. */
export async function orderNumberByReceipt(
  db: Queryable,
  { kind, year, serial }: Pick<Receipt, 'kind' | 'year' | 'serial'>,
): Promise<string | null> {
  const [row] = await db
    .select({ number: order.number })
    .from(orderReceipt)
    .innerJoin(order, eq(order.id, orderReceipt.orderId))
    .where(
      and(
        eq(orderReceipt.kind, kind),
        eq(orderReceipt.year, year),
        eq(orderReceipt.serial, serial),
      ),
    );
  return row?.number ?? null;
}

/** Issues the receipt of an order at the end of the transaction that paid it. Lab orders get none. */
export async function issueReceipt(
  tx: Transaction,
  config: Pick<Config, 'operator' | 'mode'>,
  {
    order,
    lines,
    travellers = new Map(),
  }: {
    order: Order;
    lines: readonly OrderLine[];
    /** By application number, for an order of several travellers. */
    travellers?: ReadonlyMap<string, ReceiptTraveller>;
  },
): Promise<void> {
  if (order.lab) return;
  const { paidAt, paidBy } = order;
  if (!paidAt || !paidBy) throw new Error('A receipt needs a paid order');
  const facts: ReceiptFacts = {
    ...(await commonFacts(tx, config, order, paidAt)),
    ...(await paymentFacts(tx, paidBy)),
    lines: lines.map(({ applicationNumber, code, detail, amountMinor }) => {
      const traveller = travellers.get(applicationNumber);
      return { applicationNumber, code, detail, amountMinor, ...(traveller && { traveller }) };
    }),
    totalMinor: order.amountMinor,
    at: paidAt.toISOString(),
  };
  // The year of the number is that of the payment, in UTC like the date on the receipt.
  const year = paidAt.getUTCFullYear();
  const serial = await nextSerial(tx, 'receipt', year);
  const numbered = { kind: 'receipt' as const, year, serial };
  await insertReceipt(tx, {
    id: randomUUID(),
    ...numbered,
    orderId: order.id,
    facts,
    issuedAt: paidAt,
  });
}

/** What receipt and credit note share, as of a moment. */
async function commonFacts(
  tx: Transaction,
  config: Pick<Config, 'operator' | 'mode'>,
  order: Order,
  at: Date,
) {
  const operator = operatorInForce(config, await readSettings(tx), at);
  const { legalName, address, taxNumber, authoritiesCharge } = operator;
  return {
    language: order.language,
    operator: { legalName, address, taxNumber },
    ...(authoritiesCharge && { authoritiesCharge }),
    payer: order.customerName,
    orderNumber: order.number,
    currency: 'USD' as const,
    isTest: config.mode === 'test',
  };
}

/** The provider, its id of the payment, and the card's last digits where the provider reports them. */
async function paymentFacts(tx: Transaction, attemptId: string) {
  const attempt = await attemptById(tx, attemptId);
  if (!attempt) throw new Error('A paid order has no payment');
  const events = await eventsByAttempt(tx, attemptId);
  const endings = events.flatMap(({ payload }) => cardLast4Of(payload) ?? []);
  return {
    provider: attempt.provider,
    transaction: attempt.providerReference ?? attempt.captureId,
    cardLast4: endings.at(-1) ?? null,
  };
}

/** All providers store it under this key; anything but four digits is ignored. */
function cardLast4Of(payload: unknown): string | null {
  if (typeof payload !== 'object' || payload === null || !('cardLast4' in payload)) return null;
  const { cardLast4 } = payload;
  return typeof cardLast4 === 'string' && /^\d{4}$/.test(cardLast4) ? cardLast4 : null;
}

/**
 * Issues the credit note of a completed refund, once, and has the traveller told. Of two at the same moment the
 * database lets one through; the other finds it on its next try.
 */
export function issueCreditNote(platform: Platform, refundId: string): Promise<void> {
  return platform.db.transaction(async (tx) => {
    const found = await orderRefundById(tx, refundId);
    const at = found?.refund.completedAt;
    if (!found || !at || (await creditNoteByRefund(tx, refundId))) return;
    const order = await orderById(tx, found.refund.orderId);
    if (!order || order.lab) return;
    const paid = await linesByOrder(tx, order.id);
    const amounts = new Map(paid.map(({ id, amountMinor }) => [id, amountMinor]));
    const corrected = await receiptOf(tx, order);
    const named = new Map(
      corrected.facts.lines.map(({ applicationNumber, traveller }) => [
        applicationNumber,
        traveller,
      ]),
    );
    const lines = (await linesByRefunds(tx, [refundId])).map((line) => ({
      applicationNumber: line.applicationNumber,
      code: line.code,
      detail: line.detail,
      amountMinor: line.amountMinor,
      ...travellerOf(named.get(line.applicationNumber)),
      reason: creditReason(found.refund.cause, line.reason),
      paidMinor: amounts.get(line.orderLineId) ?? line.amountMinor,
    }));
    const facts: ReceiptFacts = {
      ...(await commonFacts(tx, platform.config, order, at)),
      ...(await paymentFacts(tx, found.payment.attemptId)),
      transaction: found.payment.providerRefundId,
      lines,
      totalMinor: lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
      at: at.toISOString(),
      corrects: { number: storedReceiptNumber(corrected), at: corrected.facts.at },
    };
    const year = at.getUTCFullYear();
    const serial = await nextSerial(tx, 'credit_note', year);
    const numbered = { kind: 'credit_note' as const, year, serial };
    const id = randomUUID();
    await insertReceipt(tx, { id, ...numbered, orderId: order.id, refundId, facts, issuedAt: at });
    await queueEmail(tx, { kind: 'refunded', about: refundId, createdAt: platform.now() });
  });
}

/** The receipt that the credit note corrects. */
async function receiptOf(tx: Transaction, order: Order) {
  const receipt = (await receiptsByOrder(tx, order.id)).find(({ kind }) => kind === 'receipt');
  if (!receipt) throw new Error('A paid order has no receipt');
  return receipt;
}

const travellerOf = (traveller: ReceiptTraveller | undefined) => (traveller ? { traveller } : {});

/** The terms of a cancellation, one of which is the reason then; otherwise the refund's cause is. */
const terms = ['within_first_hours', 'still_pending', 'before_cover', 'promise_missed'] as const;

type CreditReason = RefundCause | (typeof terms)[number];

/** Why a line is refunded, as the traveller is told; texts: `receipt:reason.<code>`. */
export function creditReason(cause: RefundCause, reason: RefundReason): CreditReason {
  // Who was rejected did not cancel, although as much is refunded.
  if (cause === 'rejected_by_us') return cause;
  return terms.find((term) => term === reason) ?? cause;
}

/**
 * PDFs drawn of one receipt: each takes a tenth of a second of processor time, and the link can be opened repeatedly.
 */
const drawLimit = oncePerPool((pool) =>
  makeLimiter(pool, { name: 'receipt_drawing', points: 20, seconds: 60 }),
);

/** As for documents: the file's link works for minutes, the one in an email for a week. */
const LINK_MS = 10 * 60_000;
export const MAIL_LINK_DAYS = 7;
const MAIL_LINK_MS = MAIL_LINK_DAYS * DAY_MS;
const OPEN = 'receipt';
const MAIL = 'receipt-mail';

const named = z.object({ receiptId: z.uuid() });
const mailed = z.object({ receiptId: z.uuid(), emailVersion: z.number() });

type Signing = Pick<Platform, 'config' | 'now' | 'signer'>;

function sign({ signer, now }: Signing, receiptId: string, purpose: string, forMs: number) {
  return signer.sign({ receiptId }, purpose, new Date(now().getTime() + forMs));
}

/** The address for an email; it opens the file for seven days. */
export function receiptAddress(
  platform: Signing,
  { id, facts }: Receipt,
  { emailVersion }: Pick<Order, 'emailVersion'>,
): string {
  const language = isLanguage(facts.language) ? facts.language : 'en';
  const expires = new Date(platform.now().getTime() + MAIL_LINK_MS);
  const token = platform.signer.sign({ receiptId: id, emailVersion }, MAIL, expires);
  return `${platform.config.publicUrl}/${language}/receipt?token=${token}`;
}

/** The path of the file, for ten minutes. The caller checks that the reader may see it. */
export const receiptPath = (platform: Signing, receiptId: string): string =>
  `/receipts/${sign(platform, receiptId, OPEN, LINK_MS)}`;

/** Checks the link of an email; returns the path of the file. */
export async function openReceiptByMail(
  platform: Signing & Pick<Platform, 'db'>,
  token: string,
): Promise<Outcome<string, 'malformed' | 'expired'>> {
  const verified = platform.signer.verify(token, MAIL, platform.now());
  if (!verified.ok) return refused(verified.reason);
  const parsed = mailed.safeParse(verified.payload);
  if (!parsed.success) return refused('malformed');
  const { receiptId, emailVersion } = parsed.data;
  const receipt = await receiptById(platform.db, receiptId);
  const order = receipt && (await orderById(platform.db, receipt.orderId));
  // The payer's address has been corrected since the link was sent.
  if (order && order.emailVersion !== emailVersion) return refused('expired');
  return ok(receiptPath(platform, receiptId));
}

/**
 * The file behind a short-lived link; null for an expired or unknown link. Programs that look at links before the
 * traveller does use up nothing: a question for the head draws nothing, and what was drawn is kept for a while.
 */
export async function readReceiptLink(
  platform: Platform,
  token: string,
  { method }: Pick<Request, 'method'>,
): Promise<Response | null> {
  const verified = platform.signer.verify(token, OPEN, platform.now());
  const parsed = named.safeParse(verified.ok ? verified.payload : null);
  const receipt = parsed.success ? await receiptById(platform.db, parsed.data.receiptId) : null;
  if (!receipt) return null;
  let pdf = method === 'HEAD' ? null : (drawn.get(receipt.id) ?? null);
  if (method !== 'HEAD' && !pdf) {
    const { allowed, retryAfterSeconds } = await drawLimit(platform).consume(receipt.id);
    if (!allowed) {
      const headers = { 'Retry-After': String(retryAfterSeconds), 'Cache-Control': 'no-store' };
      return new Response(null, { status: 429, headers });
    }
    pdf = receiptPdf(receipt);
    keepDrawn(receipt.id, pdf);
  }
  return new Response(pdf && new Uint8Array(await pdf), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `attachment; filename="${storedReceiptNumber(receipt)}.pdf"`,
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Robots-Tag': 'noindex',
    },
  });
}

/** Receipts drawn last, by id: what a receipt says never changes. */
const drawn = new Map<string, Promise<Buffer>>();
const MAX_CACHED_RECEIPTS = 20;

function keepDrawn(id: string, pdf: Promise<Buffer>): void {
  drawn.set(id, pdf);
  pdf.catch(() => drawn.delete(id));
  const [oldest] = drawn.keys();
  if (drawn.size > MAX_CACHED_RECEIPTS && oldest !== undefined) drawn.delete(oldest);
}

/** The drawing library is large: a process loads it with the first receipt. */
export async function receiptPdf(receipt: Receipt): Promise<Buffer> {
  const { drawReceipt } = await import('./receipt.server.tsx');
  return drawReceipt(receipt.kind, storedReceiptNumber(receipt), receipt.facts);
}
