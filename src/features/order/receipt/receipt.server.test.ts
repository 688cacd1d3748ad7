import { extractText } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { languageCodes } from '~/base/languages.ts';
import type { ReceiptFacts, ReceiptLine } from './receipt-facts.ts';
import { drawReceipt } from './receipt.server.tsx';
import { sampleCreditNote, sampleReceipt } from './testing/sample-receipt.ts';

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
