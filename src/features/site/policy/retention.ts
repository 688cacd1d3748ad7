import { retention } from '~/base/retention-periods.ts';

/** How long personal data is kept, in years; privacy and KVKK pages are both filled from here. */
export const retentionYears = {
  visa: retention.visa.years,
  insurance: retention.insurance.years,
  communication: retention.communication.years,
  logs: retention.logs.years,
  ledger: retention.ledger.years,
} as const;
export type RetentionClass = keyof typeof retentionYears;

/**
 * What an administrator may set, in years; the other classes are fixed. Never below the table: that is what travellers
 * were promised, and shorter would delete what may still be asked for.
 * visa: contracts lapse at the latest after ten years. insurance: claims for bodily harm may come later, so fifteen.
 */
export const retentionBounds = {
  visa: { least: retention.visa.years, most: 10 },
  insurance: { least: retention.insurance.years, most: 15 },
} as const;
export type SettableRetention = keyof typeof retentionBounds;
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

/** A shorter period deletes; it waits so many days, in which any administrator can withdraw it. */
export const SHORTENING_NOTICE_DAYS = 30;

/** Answers that were never submitted; a draft lives two days longer than the last link to it. */
export const DRAFT_DAYS = retention.visaDraft.days;

/** Law No. 6698, art. 13: the controller answers within thirty days at the latest. */
export const KVKK_REPLY_DAYS = 30;
/** Law No. 6698, art. 14: thirty days after the answer, at most sixty after the request. */
export const KVKK_COMPLAINT_DAYS = { afterAnswer: 30, afterRequest: 60 } as const;
