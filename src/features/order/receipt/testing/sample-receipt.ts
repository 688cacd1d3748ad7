import type { ReceiptFacts } from '../receipt-facts.ts';

const applicationNumber = 'TRV5C9W2TXK8MFJ3';

/** The receipt of an e-visa with insurance, as issued at payment. */
export const sampleReceipt: ReceiptFacts = {
  language: 'en',
  operator: {
    legalName: '[Operator legal name]',
    address: '[Operator address]',
    taxNumber: '[Operator tax number]',
  },
  payer: 'Sofía Hernández Ruiz',
  orderNumber: 'TRG5C9W2TXK8MFJ3',
  lines: [
    { applicationNumber, code: 'evisa_fee', detail: null, amountMinor: 69_00 },
    { applicationNumber, code: 'processing_fee', detail: 'express', amountMinor: 95_00 },
    {
      applicationNumber: 'TRI5C9W2TXK8MFJ3',
      code: 'insurance_plan',
      detail: '30-days',
      amountMinor: 189_00,
    },
  ],
  totalMinor: 353_00,
  currency: 'USD',
  at: '2026-11-21T23:30:00.000Z',
  provider: 'card',
  transaction: 'TX-4F9A2C71B0E8',
  cardLast4: '1111',
  isTest: true,
};

/** A credit note for it: four fifths of the processing price, and nine tenths of the premium. */
export const sampleCreditNote: ReceiptFacts = {
  ...sampleReceipt,
  lines: sampleReceipt.lines
    .filter(({ code }) => code !== 'evisa_fee')
    .map((line) => ({
      ...line,
      amountMinor: line.code === 'processing_fee' ? 76_00 : 170_10,
      paidMinor: line.amountMinor,
      reason: line.code === 'processing_fee' ? 'still_pending' : 'before_cover',
    })),
  totalMinor: 246_10,
  at: '2026-11-25T08:10:00.000Z',
  transaction: 'RF-91D27A',
  corrects: { number: 'LR-2026-000001', at: sampleReceipt.at },
};
