import { add, type Money } from '~/base/money.ts';
import type { AddOn, AddOnOffer, Sale } from './add-on.server.ts';
import { quote, type QuoteLine } from '../rules/price-list.ts';
import { visaPricesAt } from '../store/prices.server.ts';
import type { VisaInput } from './submit.server.ts';

/** The id of the chosen plan; null for "none" or no choice. */
export const readChoice = (sent: string): string | null =>
  sent === '' || sent === 'none' ? null : sent;

export type Quoted = {
  offer: AddOnOffer | null;
  /** The id of an offered plan; null for none, and for one that is not on offer. */
  choice: string | null;
  /** Of the visa alone, line by line and in all. */
  lines: readonly QuoteLine[];
  visa: Money;
  total: Money;
};

/** What checked answers cost by the settings of a sale, with an insurance (`sent`: the form's value). */
export async function quoteWith(
  sale: Sale,
  addOn: AddOn | null,
  { path, country, values }: VisaInput,
  sent: string,
): Promise<Quoted> {
  const prices = visaPricesAt(sale.settings, sale.now);
  const { lines, total: visa } = quote(prices, path, values.processingType ?? '');
  const { dateOfBirth, arrivalDate } = values;
  const offer =
    addOn && dateOfBirth && arrivalDate
      ? await addOn.offer(sale, { dateOfBirth, arrivalDate, stayDays: country.maxStayDays })
      : null;
  const wanted = readChoice(sent);
  const chosen = offer?.choices.find(({ id }) => id === wanted) ?? null;
  const total = chosen ? add(visa, chosen.price) : visa;
  return { offer, choice: chosen?.id ?? null, lines, visa, total };
}
