import { z } from 'zod';
import { isLanguage } from '~/base/languages.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { orderById, type Order } from '../store.server.ts';
import { storedReceiptNumber, receiptById, type Receipt } from './issue-receipt.server.ts';
import { oncePerPool } from '~/platform/postgres/prepare-once.server.ts';
import { makeLimiter } from '~/platform/http/rate-limit.server.ts';

/**
 * PDFs drawn of one receipt: each takes a tenth of a second of processor time, and the link can be opened repeatedly.
 */
const drawLimit = oncePerPool((pool) =>
  makeLimiter(pool, { name: 'receipt_drawing', points: 20, seconds: 60 }),
);

/** As for documents: the file's link works for minutes, the one in an email for a week. */
const LINK_MS = 10 * 60_000;
export const MAIL_LINK_DAYS = 7;
const MAIL_LINK_MS = MAIL_LINK_DAYS * 24 * 3600_000;
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
