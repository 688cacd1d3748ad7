import { numberFormat } from './intl.ts';
import { languageFacts, type Language } from './languages.ts';

/** An amount in whole minor units (cents). Never a fraction, never a bare number. */
export type Money = { readonly minor: number; readonly currency: 'USD' };

/** @throws Error when `minor` is not a whole number that a double holds exactly. */
export function usd(minor: number): Money {
  if (!Number.isSafeInteger(minor)) throw new RangeError('Money is a whole number of cents');
  return { minor, currency: 'USD' };
}

const WIRE = /^(0|[1-9]\d{0,12})(?:\.(\d{1,2}))?$/;

/**
 * An amount as it comes over the wire: "94.00", "94" or 94. Null for whatever is not exactly that: signs, spaces,
 * exponents, a third decimal (1.005 is refused, not rounded), thousands separators, not-a-number.
 */
export function parseMoney(decimal: string | number): Money | null {
  const match = WIRE.exec(String(decimal));
  if (!match) return null;
  const [, whole = '', cents = ''] = match;
  return usd(Number(whole + cents.padEnd(2, '0')));
}

/** For the wire: always two places, "94.00". */
export function toDecimal(money: Money): string {
  const sign = money.minor < 0 ? '-' : '';
  const digits = String(Math.abs(money.minor)).padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export const add = (...monies: readonly Money[]): Money =>
  usd(monies.reduce((sum, money) => sum + money.minor, 0));

/**
 * A percentage (a whole number, 0 to 100) of an amount. Half a cent and more rounds up: a share is what a traveller
 * gets back, so the doubt is in the traveller's favour.
 * @throws Error on any other percentage.
 */
export function share(money: Money, percent: number): Money {
  if (!Number.isInteger(percent) || percent < 0 || percent > 100) {
    throw new RangeError('A percentage is a whole number from 0 to 100');
  }
  return usd(Math.round(usd(money.minor * percent).minor / 100));
}

export const sameMoney = (a: Money, b: Money): boolean =>
  a.minor === b.minor && a.currency === b.currency;

/** After an Arabic letter a plain "$94.00" is drawn as "94.00$"; this invisible mark keeps it together. */
const LEFT_TO_RIGHT_MARK = '\u200e';

/** For people, always with the currency: "$94.00", "94,00 $". */
export function formatMoney(money: Money, language: Language): string {
  const texts = written.get(language) ?? new Map<number, string>();
  written.set(language, texts);
  const known = texts.get(money.minor);
  if (known !== undefined) return known;
  const text = write(money, language);
  if (texts.size >= MAX_CACHED_TEXTS) texts.clear();
  texts.set(money.minor, text);
  return text;
}

/** The same prices recur, and `Intl` takes as long to format one as React takes for a line of the page. */
const written = new Map<Language, Map<number, string>>();
const MAX_CACHED_TEXTS = 1000;

function write(money: Money, language: Language): string {
  const { direction, intlOfMoney } = languageFacts(language);
  const format = numberFormat(intlOfMoney, STYLE);
  const text = format.format(money.minor / 100);
  return direction === 'rtl' ? LEFT_TO_RIGHT_MARK + text : text;
}

const STYLE = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const;
