import type { PlainDate } from '~/base/dates/dates.ts';
import { paymentStates, type PaymentState } from '~/features/payment/machine.ts';
import { providerNames, type ProviderName } from '~/base/payment-providers.ts';
import { readDay } from '../frame/days.tsx';

/** Which attempts a list shows. `day` is the UTC day on which they began. */
export type PaymentsFilter = {
  readonly search: string;
  readonly state: PaymentState | null;
  readonly provider: ProviderName | null;
  readonly day: PlainDate | null;
};

const LONGEST = 120;

/** Reads an address's query; unknown values are ignored. */
export function readPaymentsFilter(query: URLSearchParams): PaymentsFilter {
  return {
    search: (query.get('search') ?? '').trim().slice(0, LONGEST),
    state: paymentStates.find((state) => state === query.get('state')) ?? null,
    provider: providerNames.find((provider) => provider === query.get('provider')) ?? null,
    day: readDay(query.get('day') ?? ''),
  };
}

/** The query of an address with this filter. */
export function paymentsQuery(filter: PaymentsFilter, more: Record<string, string> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...filter, ...more })) {
    if (value) query.set(name, value);
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
