import { z } from 'zod';
import { dataUrl, jpeg } from '../src/features/insurance/testing/api-calls.ts';
import type { Answers } from '../src/features/visa/rules/answers.ts';
import { completeAnswers, countries } from '../src/features/visa/testing/sample-answers.ts';

const made = z.object({
  orderNumber: z.string(),
  applicationNumbers: z.array(z.string()),
  insuranceNumbers: z.array(z.string()),
});
const priced = z.object({ totalAmount: z.string() });

export type Family = z.infer<typeof made> & {
  totalAmount: string;
  /** Of the payer's browser. */
  cookie: string;
};

/** Anna pays. Bela is an adult with an address of her own, Carl a child with Anna's, Dora a child with another. */
export const members: readonly Answers[] = [
  { firstName: 'Anna', email: 'anna@mail.example', dateOfBirth: '1988-04-12' },
  { firstName: 'Bela', email: 'bela@mail.example', dateOfBirth: '1986-01-30' },
  { firstName: 'Carl', email: 'Anna@mail.example', dateOfBirth: '2015-02-03' },
  { firstName: 'Dora', email: 'dora@mail.example', dateOfBirth: '2017-09-21' },
];

type App = { request: (path: string, init?: RequestInit) => Response | Promise<Response> };

/** Orders for a family by `POST /api/orders`, unpaid. `insured`: indexes into `travellers`. */
export async function orderForFamily(
  app: App,
  {
    travellers = members,
    insured = [1, 2],
    language = 'en',
  }: { travellers?: readonly Answers[]; insured?: readonly number[]; language?: string } = {},
): Promise<Family> {
  const applications = travellers.map((changes, index) => ({
    ...completeAnswers(countries.southAfrica),
    passportNumber: `P${1_000_000 + Math.floor(Math.random() * 1e6)}${index}`,
    ...changes,
  }));
  const body = {
    applications,
    insurances: insured.map((application) => ({ application, productId: '14-days' })),
    parentIdPhotos: [{ name: 'mother.jpg', data: dataUrl(await jpeg()) }],
  };
  const post = (totalAmount: string) =>
    app.request('/api/orders', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': language },
      body: JSON.stringify({ ...body, totalAmount }),
    });
  // Asks for the price by sending a wrong one, as a client without a price list would.
  const { totalAmount } = priced.parse(await (await post('0.01')).json());
  const answer = await post(totalAmount);
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { ...made.parse(await answer.json()), totalAmount, cookie };
}
