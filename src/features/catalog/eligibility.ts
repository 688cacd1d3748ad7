import {
  EVISA_VALIDITY_DAYS,
  type Country,
  type VisaEntries,
  type OtherDocument,
  type TravelDocument,
} from './regime.ts';

/** Why a traveller cannot get an e-visa from us on the document they hold. */
type NoEvisaReason =
  | 'consular_visa'
  | 'official_site'
  | 'official_site_free'
  | 'diplomatic_passport'
  | 'service_passport'
  | 'special_passport'
  | 'identity_card';

/** What a traveller may do. `reason` is the stable code whose text is `catalog:eligibility.<reason>`. */
export type Eligibility =
  | { regime: 'visa_free'; reason: 'visa_free' | 'visa_free_document'; stayDays: number }
  /** Visa-free on an ordinary passport; whether this document will do is not known, or it needs a visa. */
  | {
      regime: 'visa_free';
      reason: 'visa_free_passport';
      stayDays: number;
      document: OtherDocument;
      needsVisa: boolean;
    }
  | {
      regime: 'evisa' | 'evisa_with_document';
      reason: 'evisa_available' | 'supporting_document_required';
      stayDays: number;
      entries: VisaEntries;
      validityDays: number;
    }
  | { regime: 'no_evisa'; reason: NoEvisaReason };

/** We apply for ordinary passports only; holders of other documents need a consulate, unless the data says otherwise. */
const refusedDocuments: Record<OtherDocument, NoEvisaReason> = {
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
  const { regime, maxStayDays, entries } = country;
  if (document !== 'ordinary') {
    const terms = country.others?.[document];
    if (typeof terms === 'number') {
      return { regime: 'visa_free', reason: 'visa_free_document', stayDays: terms };
    }
    if (terms === 'official_site' || terms === 'official_site_free') {
      return { regime: 'no_evisa', reason: terms };
    }
    if (regime === 'visa_free' && maxStayDays !== null) {
      const needsVisa = terms === 'visa';
      return { regime, reason: 'visa_free_passport', stayDays: maxStayDays, document, needsVisa };
    }
    return { regime: 'no_evisa', reason: refusedDocuments[document] };
  }
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
  return answer.regime === 'evisa' || answer.regime === 'evisa_with_document';
}
