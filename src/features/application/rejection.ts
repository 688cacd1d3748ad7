import type { Language } from '~/base/languages.ts';

/**
 * Why an application is rejected, as the desk chooses and as the traveller reads in their own language
 * (`rejection:reason.<code>`). `other` needs the reviewer's own words.
 */
export const rejectionCodes = [
  'passport_unreadable',
  'details_differ',
  'passport_too_short',
  'document_not_accepted',
  'not_for_nationality',
  'purpose_not_covered',
  'parent_id_unreadable',
  'not_insurable',
  'visa_rejected',
  'duplicate',
  'authorities_refused',
  'withdrawn',
  'other',
] as const;
export type RejectionCode = (typeof rejectionCodes)[number];

const ofOneKind: Readonly<Partial<Record<RejectionCode, 'visa' | 'insurance'>>> = {
  passport_unreadable: 'visa',
  passport_too_short: 'visa',
  document_not_accepted: 'visa',
  not_for_nationality: 'visa',
  purpose_not_covered: 'visa',
  authorities_refused: 'visa',
  parent_id_unreadable: 'insurance',
  not_insurable: 'insurance',
  visa_rejected: 'insurance',
};

/** The reasons for which an application of this kind may be rejected, in the order of the list. */
export const rejectionCodesByKind = (kind: 'visa' | 'insurance'): RejectionCode[] =>
  rejectionCodes.filter((code) => (ofOneKind[code] ?? kind) === kind);

/** A reason as it is stored: a code of the list, the reviewer's words, or both. */
export type Rejection = { code: RejectionCode; words: string | null };

/** A rejection with what managers made of its reason, by language; the texts of `rejection:reason` hold for the others. */
export type ShownRejection = Rejection & { texts: Partial<Record<Language, string>> };

/**
 * Who ended an application that is rejected: our team before anything was handed to the authorities, the authorities, or
 * the traveller, who withdrew it. `isHandedIn`: it was Processing before.
 */
export function rejectionAuthor(
  kind: 'visa' | 'insurance',
  code: RejectionCode | null,
  isHandedIn: boolean,
): 'team' | 'authorities' | 'traveller' {
  if (code === 'withdrawn') return 'traveller';
  if (kind === 'insurance') return 'team';
  return isHandedIn || code === 'authorities_refused' ? 'authorities' : 'team';
}

/** Why an application was rejected; null where it was not. */
export const applicationRejection = ({
  rejectionCode: code,
  rejectionReason: words,
}: {
  rejectionCode: RejectionCode | null;
  rejectionReason: string | null;
}): Rejection | null => code && { code, words };

/** Whether the code has a text of its own. */
export const hasRejectionText = (code: RejectionCode): code is Exclude<RejectionCode, 'other'> =>
  code !== 'other';

/** Whether a rejection has a reason to read: that of an insurance by the specified call has none. */
export const hasRejectionReason = ({ code, words }: Rejection): boolean =>
  hasRejectionText(code) || words !== null;
