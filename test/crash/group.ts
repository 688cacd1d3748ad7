import { z } from 'zod';
import { application } from './application.ts';

/** What somebody applies for: the call, and its costs in cents, one entry for each application. */
export type Wanted = {
  path: string;
  body: { totalAmount: string };
  /** Visas in the order of the call, then insurances in the order of the travellers. */
  prices: readonly Price[];
};

/** In cents: the price, and what is refunded of it an hour after payment. Members are counted from 0. */
export type Price = { member: number; kind: 'visa' | 'insurance'; all: number; cancelled: number };

/** 69.00 of a visa and a tenth of an insurance are not refunded (`refund-policy.ts`). */
const VISA = { kind: 'visa', all: 94_00, cancelled: 25_00 } as const;
const INSURANCE = { kind: 'insurance', all: 149_00, cancelled: 134_10 } as const;

/** One traveller, or in three of ten purchases two to five, each insured or not: adults, so no photos are needed. */
export function wanted(random: () => number): Wanted {
  if (random() >= 0.3) {
    const body = application();
    return { path: '/api/applications', body, prices: [{ ...VISA, member: 0 }] };
  }
  const size = 2 + Math.floor(random() * 4);
  const members = Array.from({ length: size }, (_, index) => index);
  const insured = members.filter(() => random() < 0.4);
  const prices = [
    ...members.map((member) => ({ ...VISA, member })),
    ...insured.map((member) => ({ ...INSURANCE, member })),
  ];
  const body = {
    applications: members.map((member) => ({
      ...application(),
      firstName: `Thabo${'ABCDE'[member]}`,
      purpose: 'tourism',
      // Not random alone: two of one order must differ.
      passportNumber: `G${member}${Math.floor(Math.random() * 1e7)}`,
    })),
    insurances: insured.map((member) => ({ application: member, productId: '14-days' })),
    totalAmount: decimal(sumOf(prices)),
  };
  return { path: '/api/orders', body, prices };
}

export const sumOf = (prices: readonly Price[]): number =>
  prices.reduce((sum, { all }) => sum + all, 0);

/** Cents as the calls write them. */
export const decimal = (cents: number): string => (cents / 100).toFixed(2);

const answers = z.union([
  z
    .object({ applicationNumber: z.string() })
    .transform(({ applicationNumber: number }) => ({ order: number, applications: [number] })),
  z
    .object({
      orderNumber: z.string(),
      applicationNumbers: z.array(z.string()),
      insuranceNumbers: z.array(z.string()),
    })
    .transform(({ orderNumber, applicationNumbers, insuranceNumbers }) => ({
      order: orderNumber,
      applications: [...applicationNumbers, ...insuranceNumbers],
    })),
]);

/**
 * The numbers in the answer to a call of `Wanted`, applications in the order of `prices`.
 * @throws ZodError for any other answer.
 */
export const numbersIn = (answer: unknown): z.infer<typeof answers> => answers.parse(answer);
