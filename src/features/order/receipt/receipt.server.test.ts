import { extractText } from 'unpdf';
import { describe, expect, it, test } from 'vitest';
import { languageCodes } from '~/base/languages.ts';
import {
  type ReceiptFacts,
  type ReceiptLine,
  readReceiptNumber,
  receiptNumber,
} from './receipt-facts.ts';
import { drawReceipt } from './receipt.server.tsx';
import { sampleCreditNote, sampleReceipt } from './testing/sample-receipt.ts';
import { orderByNumber } from '../store.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { receiptPath, receiptsByOrder } from './issue-receipt.server.ts';
import { makeApplication } from '../../../../test/make.ts';
import { needed } from '../../../../test/needed.ts';

const longest = {
  payer: 'Łukasz Jürgen Đorđe Nguyễn Çağrı Große-Österreicher von und zu Weißenfels-Ångström',
  operator: {
    legalName: 'Sample Travel Documents and Insurance Brokerage Limited Company of Istanbul',
    address: 'A very long street name 123, building B, floor 14, door 7, 34000 Somewhere, Istanbul',
    taxNumber: '[Operator tax number]',
  },
  transaction: 'a7c1e0d2-5b4f-4a39-9a38-0f7b1f3b0c11-a7c1e0d2-5b4f-4a39-9a38-0f7b1f3b0c11',
};

const family = (size: number): ReceiptLine[] =>
  Array.from({ length: size }, (_, index) => `TRV5C9W2TXK8MFJ${index % 10}${index}`).flatMap(
    (applicationNumber) => [
      { applicationNumber, code: 'evisa_fee', detail: null, amountMinor: 69_00 },
      { applicationNumber, code: 'processing_fee', detail: 'urgent_4', amountMinor: 645_00 },
      { applicationNumber, code: 'insurance_plan', detail: '30-days', amountMinor: 189_00 },
    ],
  );

const longNames = [
  'Maximiliane Konstanze Featherstonehaugh-Bartholomew Wolfeschlegelsteinhausenbergerdorff',
  'Łukasz Jürgen Đorđe Nguyễn Çağrı Große-Österreicher von und zu Weißenfels-Ångström',
  'Rhoshandiatellyneshiaunneveshenk Koyaanisquatsiuth Williams',
];

/** Lines of so many travellers, each with visa and insurance. */
const ofTravellers = (size: number): ReceiptLine[] =>
  family(size).map((line, index) => ({
    ...line,
    traveller: {
      position: Math.floor(index / 3) + 1,
      name: longNames[Math.floor(index / 3) % longNames.length] ?? '',
    },
  }));

const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length;

describe.each(languageCodes)('a receipt in %s', (language) => {
  it.each<[string, Partial<ReceiptFacts>]>([
    ['at its ease', {}],
    ['with long names and a family of three', { ...longest, lines: family(3) }],
    ['from a partner that says nothing of a card', { cardLast4: null, transaction: null }],
  ])('is one page %s', async (_, changes) => {
    const pdf = await drawReceipt('receipt', 'LR-2026-000001', {
      ...sampleReceipt,
      language,
      ...changes,
    });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pagesOf(pdf)).toBe(1);
    expect(pdf.length).toBeLessThan(200_000);
  });

  it('lists ten travellers with long names on no more than three pages', async () => {
    const facts = { ...sampleReceipt, ...longest, language, lines: ofTravellers(10) };
    const pages = pagesOf(await drawReceipt('receipt', 'LR-2026-000001', facts)) ?? 0;
    expect(pages).toBeGreaterThan(1);
    expect(pages).toBeLessThanOrEqual(3);
  });

  it('has a credit note of one page beside it', async () => {
    const facts = { ...sampleCreditNote, language };
    expect(pagesOf(await drawReceipt('credit_note', 'LC-2026-000001', facts))).toBe(1);
  });
});

describe('a receipt', () => {
  it.each(languageCodes)('has the operator’s Latin lines in order in %s', async (language) => {
    const operator = {
      legalName: '7 Seas Ltd. (TR)',
      address: '1 Sample Street, Sample City',
      taxNumber: '[Operator tax number]',
    };
    const pdf = await drawReceipt('receipt', 'LR-2026-000001', {
      ...sampleReceipt,
      language,
      operator,
    });
    const { text } = await extractText(new Uint8Array(pdf), { mergePages: true });
    for (const run of Object.values(operator)) expect(text).toContain(run);
  });

  it('goes on over as many pages as a long order needs', async () => {
    const facts = { ...sampleReceipt, lines: family(12) };
    expect(pagesOf(await drawReceipt('receipt', 'LR-2026-000001', facts))).toBe(2);
  });
});

describe('the number of a receipt', () => {
  it.each([
    ['receipt', 2026, 1, 'LR-2026-000001'],
    ['credit_note', 2026, 42, 'LC-2026-000042'],
    ['receipt', 2031, 1_234_567, 'LR-2031-1234567'],
  ] as const)('of a %s in %d, the %dth, is %s', (kind, year, serial, number) => {
    expect(receiptNumber(kind, year, serial)).toBe(number);
  });

  it('is never made of a serial that no counter gives', () => {
    expect(() => receiptNumber('receipt', 2026, 0)).toThrow(RangeError);
    expect(() => receiptNumber('receipt', 2026, 1.5)).toThrow(RangeError);
  });

  it.each([
    ['LR-2026-000001', { kind: 'receipt', year: 2026, serial: 1 }],
    [' lc 2031 1234567 ', { kind: 'credit_note', year: 2031, serial: 1_234_567 }],
    ['LR-2026-000000', null],
    ['LX-2026-000001', null],
    ['LR-2026', null],
    ['2026-000001', null],
  ])('%j is read as %j', (text, read) => {
    expect(readReceiptNumber(text)).toEqual(read);
  });
});

const platform = await makeTestPlatform();
const app = makeTestApp(platform);

test('programs that open the link of a receipt leave it to the traveller', async () => {
  const { number } = await makeApplication(platform);
  const order = needed(await orderByNumber(platform.db, number));
  const path = receiptPath(platform, needed((await receiptsByOrder(platform.db, order.id))[0]).id);
  for (let opened = 0; opened < 30; opened++) {
    for (const method of ['HEAD', 'GET'])
      expect((await app.request(path, { method })).status, `${method} ${opened}`).toBe(200);
  }
  const bytes = await (await app.request(path)).arrayBuffer();
  expect(Buffer.from(bytes).subarray(0, 5).toString()).toBe('%PDF-');
});
