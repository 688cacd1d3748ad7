import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { addDays, parseDate, type PlainDate } from '~/base/dates/dates.ts';
import type { ProviderName } from '~/base/payment-providers.ts';
import { toDecimal, usd } from '~/base/money.ts';
import { sumLedger } from '~/features/order/ledger.server.ts';
import { placeLabOrder } from '~/features/order/order-to-pay.server.ts';
import { paymentMovement, paymentEvent, paymentRefund } from '~/features/payment/tables.server.ts';
import { storeAttempt } from '~/features/payment/testing/sample-attempts.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { ledgerColumns, ledgerRows, moneyByPartner, sumBySteps } from './ledger.server.ts';
import { readPeriod, spanOf } from './period.tsx';
import { needed } from '../../../../test/needed.ts';

const platform = await makeTestPlatform({ now: new Date('2026-12-01T10:00:00Z') });
const { db } = platform;

const FIRST = needed(parseDate('2026-11-01'));
const DAYS = 12;
const DAY_MS = 86_400_000;
/** The first moment of the first day in Türkiye, which is three hours ahead of UTC. */
const BEGIN = Date.parse('2026-10-31T21:00:00Z');

/** A moment at or beside the border of a day, or within one. */
const moment = fc
  .tuple(
    fc.integer({ min: 0, max: DAYS }),
    fc.oneof(fc.constantFrom(-1, 0, 1), fc.integer({ min: 0, max: DAY_MS - 1 })),
  )
  .map(([day, ms]) => BEGIN + day * DAY_MS + ms);
const amount = fc.integer({ min: 1, max: 99_999 });
/** What the partner’s books say of a fee: nothing yet, nothing in our currency, or an amount. */
const fee = fc.oneof(fc.constantFrom('unread' as const, null), fc.integer({ min: -50, max: 400 }));

const payment = fc.record({
  provider: fc.constantFrom<ProviderName>('card', 'paypal', 'stripe'),
  isLab: fc.constantFrom(false, false, false, true),
  isLate: fc.boolean(),
  at: moment,
  amount,
  fee,
  /** Milliseconds by which the partner booked it before or after us. */
  booked: fc.integer({ min: -DAY_MS, max: DAY_MS }),
  refunds: fc.array(
    fc.record({ at: moment, amount, fee, state: fc.constantFrom('completed', 'failed') }),
    { maxLength: 2 },
  ),
});
const bookLine = fc.record({
  kind: fc.constantFrom('dispute', 'payout', 'fee'),
  at: moment,
  /** Null: in another currency. */
  minor: fc.option(fc.integer({ min: -90_000, max: 90_000 })),
  fee: fc.integer({ min: 0, max: 2000 }),
  /** Which of the payments a dispute is about. */
  about: fc.nat(),
});

const SEED = 20_261_125;
const payments = fc.sample(payment, { numRuns: 90, seed: SEED });
const bookLines = fc.sample(bookLine, { numRuns: 40, seed: SEED });

/** What must stand in the ledger, worked out beside the statements of the service. */
type Fact = {
  at: number;
  provider: string;
  type: string;
  minor: number | null;
  fee: number | null;
};
const facts: Fact[] = [];

beforeAll(async () => {
  const charges: { captureId: string; isLab: boolean }[] = [];
  for (const [index, one] of payments.entries()) {
    const number = `TRGTEST${index}`;
    if (one.isLab) await placeLabOrder(platform, { number, language: 'en', sessionHash: null });
    const captureId = `C-${index}`;
    if (one.provider === 'stripe') charges.push({ captureId, isLab: one.isLab });
    const at = new Date(one.at);
    const attemptId = await db.transaction((tx) =>
      storeAttempt(tx, { number, amountMinor: one.amount }, at, {
        provider: one.provider,
        captureId,
        state: one.isLate ? 'captured_late' : 'completed',
        ...(!one.isLate && { completedAt: at }),
      }),
    );
    if (one.isLate) {
      await db.insert(paymentEvent).values({
        id: randomUUID(),
        provider: one.provider,
        eventId: captureId,
        attemptId,
        event: 'capture',
        payload: {},
        receivedAt: at,
        result: 'moved',
      });
    }
    const { provider } = one;
    const book = async (
      kind: 'capture' | 'refund',
      id: string,
      minor: number,
      reportedFee: typeof one.fee,
    ) =>
      reportedFee === 'unread'
        ? undefined
        : db.insert(paymentMovement).values({
            provider,
            id: `${kind}-${id}`,
            kind,
            at: new Date(one.at + one.booked),
            captureId,
            refundId: kind === 'refund' ? id : null,
            amountMinor: reportedFee === null ? null : minor,
            feeMinor: reportedFee,
            readAt: platform.now(),
          });
    const know = (entry: Omit<Fact, 'provider' | 'fee'>, reportedFee: typeof one.fee) => {
      if (!one.isLab)
        facts.push({ ...entry, provider, fee: reportedFee === 'unread' ? null : reportedFee });
    };
    await book('capture', captureId, one.amount, one.fee);
    know({ at: one.at, type: 'capture', minor: one.amount }, one.fee);
    for (const [place, refund] of one.refunds.entries()) {
      const refundId = `R-${index}-${place}`;
      const decidedAt = new Date(refund.at);
      await db.insert(paymentRefund).values({
        id: randomUUID(),
        attemptId,
        amountMinor: refund.amount,
        currency: 'USD',
        state: refund.state === 'completed' ? 'completed' : 'failed',
        providerRefundId: refundId,
        reason: 'our_error',
        requestedBy: 'system',
        requestedAt: decidedAt,
        decidedAt,
        changedAt: decidedAt,
      });
      if (refund.state !== 'completed') continue;
      await book('refund', refundId, -refund.amount, refund.fee);
      know({ at: refund.at, type: 'refund', minor: -refund.amount }, refund.fee);
    }
  }
  for (const [index, { kind, at, minor, about, ...line }] of bookLines.entries()) {
    const charge = kind === 'dispute' ? charges[about % charges.length] : undefined;
    const amountMinor = kind === 'fee' && minor !== null ? 0 : minor;
    const feeMinor = minor === null ? null : line.fee;
    await db.insert(paymentMovement).values({
      provider: 'stripe',
      id: `txn_${index}`,
      kind: kind === 'dispute' ? 'dispute' : kind === 'payout' ? 'payout' : 'fee',
      at: new Date(at),
      captureId: charge?.captureId ?? null,
      refundId: null,
      amountMinor,
      feeMinor,
      readAt: platform.now(),
    });
    if (charge?.isLab) continue;
    facts.push({ at, provider: 'stripe', type: kind, minor: amountMinor, fee: feeMinor });
  }
});

type Line = (name: keyof typeof ledgerColumns) => string | number | null;

async function fileOf(first: PlainDate, last: PlainDate): Promise<Line[]> {
  const lines: Line[] = [];
  const span = spanOf({ first, last });
  for await (const row of ledgerRows(platform.readLagging, span)) {
    lines.push((name) => {
      const cell = ledgerColumns[name](row);
      return typeof cell === 'object' && cell ? toDecimal(cell) : cell;
    });
  }
  return lines;
}

const total = (list: readonly (string | number | null)[]) =>
  list.reduce<number>((sum, one) => sum + (typeof one === 'number' ? one : 0), 0);

const days = fc
  .tuple(fc.integer({ min: -1, max: DAYS }), fc.integer({ min: 0, max: DAYS }))
  .map(([from, more]) => ({ first: addDays(FIRST, from), last: addDays(FIRST, from + more) }));

test('page, file and ledger agree in every period', async () => {
  await fc.assert(
    fc.asyncProperty(days, async ({ first, last }) => {
      const begin = Date.parse(`${first}T00:00:00+03:00`);
      const end = Date.parse(`${last}T00:00:00+03:00`) + DAY_MS;
      const due = facts.filter(({ at }) => at >= begin && at < end);
      const lines = await fileOf(first, last);
      const plain = (one: Fact) => [one.at, one.provider, one.type, one.minor, one.fee].join(' ');
      const columns = ['partner', 'type', 'amount_minor', 'fee_minor'] as const;
      const read = lines.map((line) =>
        [Date.parse(String(line('moment_utc'))), ...columns.map(line)].join(' '),
      );
      expect(read.toSorted()).toEqual(due.map(plain).toSorted());
      for (const line of lines) {
        const [minor, date] = [line('amount_minor'), String(line('date_turkiye'))];
        expect(line('amount')).toBe(typeof minor === 'number' ? toDecimal(usd(minor)) : null);
        expect(date >= first && date <= last).toBe(true);
      }
      expect(new Set(lines.map((line) => line('entry'))).size).toBe(lines.length);

      const page = await moneyByPartner(db, platform.config, spanOf({ first, last }));
      // The table of steps says the same, in all and step by step.
      const period = readPeriod(new URLSearchParams({ from: first, to: last }), last);
      const steps = await sumBySteps(db, period);
      for (const of of ['captured', 'refunded'] as const) {
        const sum = total(page.map((one) => one[of].minor));
        expect(steps.find(({ step }) => step === null)?.[of].minor ?? 0).toBe(sum);
        expect(total(steps.map((one) => (one.step === null ? 0 : one[of].minor)))).toBe(sum);
      }
      // So does the weekly email.
      expect(await sumLedger(db, spanOf({ first, last }))).toEqual({
        captures: total(page.map(({ captures }) => captures)),
        captured: total(page.map(({ captured }) => captured.minor)),
        refunds: total(page.map(({ refunds }) => refunds)),
        refunded: total(page.map(({ refunded }) => refunded.minor)),
      });
      expect(page.map(({ provider }) => provider).toSorted()).toEqual(
        [...new Set(due.map(({ provider }) => provider))].toSorted(),
      );
      for (const one of page) {
        const own = lines.filter((line) => line('partner') === one.provider);
        const isOf = (line: Line, types: string[]) => types.includes(String(line('type')));
        const sumOf = (...types: string[]) =>
          total(own.filter((line) => isOf(line, types)).map((line) => line('amount_minor')));
        const countOf = (type: string) => own.filter((line) => isOf(line, [type])).length;
        const fees = total(own.map((line) => line('fee_minor')));
        expect(one.captured.minor).toBe(sumOf('capture'));
        expect(one.captures).toBe(countOf('capture'));
        expect(one.refunded.minor).toBe(0 - sumOf('refund'));
        expect(one.refunds).toBe(countOf('refund'));
        // An amount that is said is the file’s; what is not known is not in the file either.
        if (one.paidOut) expect(one.paidOut.minor).toBe(0 - sumOf('payout'));
        if (one.fees) expect(one.fees.minor).toBe(fees);
        const shown = one.provider === 'card' ? 0 : fees;
        expect(one.net.minor).toBe(sumOf('capture', 'refund', 'dispute') - shown);
        const isUnknown = own.some(
          (line) => line('fee_minor') === null || line('amount_minor') === null,
        );
        if (isUnknown) expect(one.isNetWhole).toBe(false);
      }
    }),
    { numRuns: 60, seed: SEED },
  );
}, 300_000);

test('a lab order is in neither', async () => {
  expect(payments.some(({ isLab }) => isLab)).toBe(true);
  const lines = await fileOf(addDays(FIRST, -1), addDays(FIRST, DAYS + 1));
  const labs = payments.flatMap(({ isLab }, index) => (isLab ? [`TRGTEST${index}`] : []));
  expect(lines.filter((line) => labs.includes(String(line('order'))))).toEqual([]);
});
