import { retention } from '~/base/retention-periods.ts';

/** How long personal data are kept, in years, on the privacy and KVKK pages. */
export const retentionYears = {
  visa: retention.visa.years,
  insurance: retention.insurance.years,
  communication: retention.communication.years,
  logs: retention.logs.years,
  ledger: retention.ledger.years,
  requests: retention.privacyCase.years,
} as const;
type RetentionClass = keyof typeof retentionYears;

/**
 * The periods that administrators may set, in years; the other classes are fixed. Not below the table, which is what
 * travellers were promised; deleting earlier would also remove evidence for open claims. visa: contractual claims lapse
 * after ten years at most. insurance: claims for bodily harm may come later, so fifteen.
 */
export const retentionBounds = {
  visa: { least: retention.visa.years, most: 10 },
  insurance: { least: retention.insurance.years, most: 15 },
} as const;
type SettableRetention = keyof typeof retentionBounds;
export const settableRetention = [
  'visa',
  'insurance',
] as const satisfies readonly SettableRetention[];
export const isFixedRetention = (
  kind: string,
): kind is Exclude<RetentionClass, SettableRetention> =>
  Object.hasOwn(retentionYears, kind) && !Object.hasOwn(retentionBounds, kind);

/** Years for which each class is kept. */
export type RetentionYears = Readonly<Record<RetentionClass, number>>;

/** Days before a shorter period takes effect, in which administrators can withdraw it: it deletes data. */
export const SHORTENING_NOTICE_DAYS = 30;

/** Days that unsubmitted answers are kept: two more than the last link to them works. */
export const DRAFT_DAYS = retention.draft.days;

/** Law No. 6698, art. 13: the controller answers within thirty days. */
export const KVKK_REPLY_DAYS = 30;
/** Law No. 6698, art. 14: thirty days after the answer, at most sixty after the request. */
export const KVKK_COMPLAINT_DAYS = { afterAnswer: 30, afterRequest: 60 } as const;
