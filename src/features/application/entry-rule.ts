import { addMonths, toPlainDate, formatDate, TURKIYE, type PlainDate } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import type { Translate } from '~/base/read-text.ts';

/** Months after its issue within which an e-visa with a supporting document is entered on, by the specification. */
export const ENTRY_MONTHS = 3;

/**
 * The last day to enter Türkiye on an e-visa with a supporting document, unless the e-visa names an earlier one.
 * @param issuedAt - When it was issued; before that the promised moment, as the latest at which it may be.
 */
export const lastEntryDay = (issuedAt: Date): PlainDate =>
  addMonths(toPlainDate(issuedAt, TURKIYE), ENTRY_MONTHS);

/**
 * The rule in one sentence, the same before payment, on the status page, in emails and on the requirements page.
 * @param last - From `lastEntryDay`; null where no moment is known yet.
 */
export const entryRule = (
  t: Translate<'application'>,
  language: Language,
  last: PlainDate | null,
): string =>
  last === null
    ? t('entry.undated', { entryMonths: ENTRY_MONTHS })
    : t('entry.rule', { entryMonths: ENTRY_MONTHS, date: formatDate(last, language) });
