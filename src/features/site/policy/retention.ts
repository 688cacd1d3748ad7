import { LINK_DAYS } from '~/features/visa/link-days.ts';

/**
 * How long personal data is kept, in years, counted from the last event of its kind. The data protection (KVKK) table
 * is the rule; privacy and KVKK pages are both filled from here.
 */
export const retentionYears = {
  visa: 5,
  insurance: 10,
  communication: 2,
  logs: 1,
  /** Payment ledger and receipts, by tax law. */
  ledger: 10,
} as const;
export type RetentionClass = keyof typeof retentionYears;

/** Answers that were never submitted; a draft lives two days longer than the last link to it. */
export const DRAFT_DAYS = LINK_DAYS + 2;

/** Law No. 6698, art. 13: the controller answers within thirty days at the latest. */
export const KVKK_REPLY_DAYS = 30;
/** Law No. 6698, art. 14: thirty days after the answer, at most sixty after the request. */
export const KVKK_COMPLAINT_DAYS = { afterAnswer: 30, afterRequest: 60 } as const;
