import { add, type Money } from '~/base/money.ts';
import { offerBesideVisa, type BesideVisa } from '~/features/insurance/beside-visa.ts';
import type { Plan } from '~/features/insurance/rules/plans.ts';
import { onSaleAt } from '~/features/insurance/store/plan-store.server.ts';
import type { Settings } from '~/features/settings/change.ts';
import type { Database } from '~/platform/postgres/database.server.ts';
import { quote, type QuoteLine } from '../rules/price-list.ts';
import { visaPricesAt } from '../store/prices.server.ts';
import type { VisaInput } from './submit.server.ts';

/** When something is offered and sold, and by which settings. Not to be used inside a transaction. */
export type Sale = { db: Database; settings: Settings; now: Date };

/** The id of the chosen plan; null for "none" or no choice. */
export const readChoice = (sent: string): string | null =>
  sent === '' || sent === 'none' ? null : sent;

export type Quoted = {
  offer: BesideVisa | null;
  /** The id of an offered plan; null for none, and for one that is not on offer. */
  choice: string | null;
  /** Of the visa alone, line by line and in all. */
  lines: readonly QuoteLine[];
  visa: Money;
  total: Money;
};

/** The offered plan of a quote. */
export const planOf = ({ offer, choice }: Quoted): Plan | null =>
  offer?.choices.find(({ id }) => id === choice) ?? null;

/**
 * What checked answers cost by the settings of a sale, with an insurance (`sent`: the form's value), where one may be
 * added.
 */
export async function quoteWith(
  { db, settings, now }: Sale,
  mayInsure: boolean,
  { path, country, values }: VisaInput,
  sent: string,
): Promise<Quoted> {
  const { lines, total: visa } = quote(
    visaPricesAt(settings, now),
    path,
    values.processingType ?? '',
  );
  const { dateOfBirth, arrivalDate } = values;
  const offer =
    mayInsure && dateOfBirth && arrivalDate
      ? offerBesideVisa(await onSaleAt(db, settings, now), {
          dateOfBirth,
          arrivalDate,
          stayDays: country.maxStayDays,
        })
      : null;
  const wanted = readChoice(sent);
  const chosen = offer?.choices.find(({ id }) => id === wanted) ?? null;
  const total = chosen ? add(visa, chosen.price) : visa;
  return { offer, choice: chosen?.id ?? null, lines, visa, total };
}
