import { providerNames, type ProviderName } from '~/base/payment-providers.ts';
import { usd, type Money } from '~/base/money.ts';
import { parseDate, type PlainDate } from '~/base/dates/dates.ts';
import { partnerReports } from '~/features/payment/reconcile/compare.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { sumByPartner, type MoneySpan, type PartnerRow } from './store.server.ts';

/** Money of one partner in a period. Null: the partner does not tell it. */
export type PartnerMoney = {
  provider: ProviderName;
  /** Test mode plays this partner. */
  isSimulated: boolean;
  captured: Money;
  captures: number;
  refunded: Money;
  refunds: number;
  fees: Money | null;
  /** Captures whose fee is known. */
  charged: number;
  disputed: Money | null;
  disputes: number;
  /** Taken for disputes, less what came back. */
  taken: Money | null;
  /** Captured less refunds, known fees and what was taken for disputes. */
  net: Money;
  /** Every fee is in the net amount, and what was taken for disputes. */
  isNetWhole: boolean;
  paidOut: Money | null;
  /** Lines of its books in another currency. */
  foreign: number;
  readUntil: PlainDate | null;
};

export async function moneyByPartner(
  { readLagging, config }: Pick<Platform, 'readLagging' | 'config'>,
  span: MoneySpan,
): Promise<PartnerMoney[]> {
  const rows = await readLagging((db) => sumByPartner(db, span));
  return providerNames.flatMap((provider) => {
    const row = rows.find((one) => one.provider === provider);
    // In live mode one that is no longer configured took real money.
    const isSimulated = config.mode === 'test' && config.providers[provider] === undefined;
    return row ? [toMoney(provider, row, isSimulated)] : [];
  });
}

function toMoney(provider: ProviderName, row: PartnerRow, isSimulated: boolean): PartnerMoney {
  const tells = partnerReports[provider];
  const reported = (isReported: boolean, minor: number) => (isReported ? usd(minor) : null);
  const isSomeFeeKnown = row.feesKnown > 0 || row.captures === 0;
  const fees = tells.fees && isSomeFeeKnown ? usd(row.fees) : null;
  return {
    provider,
    isSimulated,
    captured: usd(row.captured),
    captures: row.captures,
    refunded: usd(row.refunded),
    refunds: row.refunds,
    fees,
    charged: row.charged,
    disputed: reported(tells.disputes, row.disputed),
    disputes: row.disputes,
    taken: reported(tells.disputes, row.taken),
    net: usd(row.captured - row.refunded - (fees?.minor ?? 0) - (tells.disputes ? row.taken : 0)),
    isNetWhole: tells.fees && tells.disputes && row.feesUnknown === 0 && row.foreign === 0,
    paidOut: reported(tells.payouts, row.paidOut),
    foreign: row.foreign,
    readUntil: row.readUntil === null ? null : parseDate(row.readUntil),
  };
}
