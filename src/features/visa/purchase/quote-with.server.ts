import { add, type Money } from '~/base/money.ts';
import type { AddOn, AddOnOffer, Sale } from './add-on.server.ts';
import { quote, type QuoteLine } from '../rules/price-list.ts';
import { visaPricesAt } from '../store/prices.server.ts';
import type { VisaInput } from './submit.server.ts';

/** The id of what is taken along; null for the radio button "none", or where there was none. */
export const readChoice = (sent: string): string | null =>
  sent === '' || sent === 'none' ? null : sent;

export type Quoted = {
  offer: AddOnOffer | null;
  /** An id of the offer; null for nothing, also where what was asked for is not on offer. */
  choice: string | null;
  /** Of the visa alone, line by line and in all. */
  lines: readonly QuoteLine[];
  visa: Money;
  total: Money;
};

/** What checked answers cost by the settings of a sale, with what is taken along (`sent`, as the form has it). */
export async function quoteWith(
  sale: Sale,
  extra: AddOn | null,
  { path, country, values }: VisaInput,
  sent: string,
): Promise<Quoted> {
  const prices = visaPricesAt(sale.settings, sale.now);
  const { lines, total: visa } = quote(prices, path, values.processingType ?? '');
  const { dateOfBirth, arrivalDate } = values;
  const offer =
    extra && dateOfBirth && arrivalDate
      ? await extra.offer(sale, { dateOfBirth, arrivalDate, stayDays: country.maxStayDays })
      : null;
  const wanted = readChoice(sent);
  const chosen = offer?.choices.find(({ id }) => id === wanted) ?? null;
  const total = chosen ? add(visa, chosen.price) : visa;
  return { offer, choice: chosen?.id ?? null, lines, visa, total };
}
