import {
  EVISA_VALIDITY_DAYS,
  type Country,
  type Entries,
  type Regime,
  type TravelDocument,
} from './regime.ts';

/** Why a traveller cannot get an e-visa on the document they hold. */
export type NoEvisaReason =
  | 'consular_visa'
  | 'diplomatic_passport'
  | 'service_passport'
  | 'special_passport'
  | 'identity_card';

/** What a traveller may do. `reason` is the stable code whose text is `catalog:eligibility.<reason>`. */
export type Eligibility =
  | { regime: 'visa_free'; reason: 'visa_free' | 'visa_free_document'; stayDays: number }
  | {
      regime: 'evisa' | 'evisa_with_document';
      reason: 'evisa_available' | 'supporting_document_required';
      stayDays: number;
      entries: Entries;
      validityDays: number;
    }
  | { regime: 'no_evisa'; reason: NoEvisaReason };

/**
 * The e-visa is granted to ordinary passports only; holders of other documents need a consulate, unless they are
 * exempt.
 */
const refusedDocuments: Record<Exclude<TravelDocument, 'ordinary'>, NoEvisaReason> = {
  diplomatic: 'diplomatic_passport',
  service: 'service_passport',
  special: 'special_passport',
  identity: 'identity_card',
};

/**
 * What a nationality may do on a travel document. Ages are not part of it: age notes are shown, not enforced.
 * @throws Error for a country that grants a stay without a length, which only broken reference data can cause.
 */
export function eligibility(
  country: Pick<Country, 'code' | 'regime' | 'maxStayDays' | 'entries' | 'others'>,
  document: TravelDocument,
): Eligibility {
  if (document !== 'ordinary') {
    const stayDays = country.others?.[document];
    if (stayDays) return { regime: 'visa_free', reason: 'visa_free_document', stayDays };
    return { regime: 'no_evisa', reason: refusedDocuments[document] };
  }
  const { regime, maxStayDays, entries } = country;
  if (regime === 'no_evisa') return { regime, reason: 'consular_visa' };
  if (maxStayDays === null) throw new Error(`${country.code} has no length of stay`);
  if (regime === 'visa_free') return { regime, reason: 'visa_free', stayDays: maxStayDays };
  if (entries === null) throw new Error(`${country.code} has no number of entries`);
  return {
    regime,
    reason: regime === 'evisa' ? 'evisa_available' : 'supporting_document_required',
    stayDays: maxStayDays,
    entries,
    validityDays: EVISA_VALIDITY_DAYS,
  };
}

/** Whether the e-visa can be applied for with this answer. */
export function grantsEvisa(
  answer: Eligibility,
): answer is Extract<Eligibility, { validityDays: number }> {
  const open: readonly Regime[] = ['evisa', 'evisa_with_document'];
  return open.includes(answer.regime);
}
