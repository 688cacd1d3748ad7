import type { Language } from '~/base/languages.ts';
import type { Translate } from '~/base/read-text.ts';
import { reviewRows, type AnswerGroup } from '~/features/form/page/review-rows.ts';
import type { ShownAnswer } from '~/ui/answers.tsx';
import { EXEMPT, type VisaAnswers } from './rules/answers.ts';
import {
  fields,
  questionByField,
  type VisaField,
  type FieldWith,
  type QuestionGroup,
} from './rules/questions.ts';

/** The groups of a review, each with its title's last part. */
const shownGroups: readonly {
  title: 'trip' | 'passport' | 'parents' | 'contact';
  groups: readonly QuestionGroup[];
}[] = [
  { title: 'trip', groups: ['trip', 'document'] },
  { title: 'passport', groups: ['passport'] },
  { title: 'parents', groups: ['parents'] },
  { title: 'contact', groups: ['contact'] },
];

/** Answers that are codes, or that are shown together with another one. */
type Coded = FieldWith<{ answer: 'choice' }> | FieldWith<{ answer: 'country' }>;

/**
 * The answers as the review and a copy show them, without those that were not given. `names`: what codes stand for.
 * `asInPassport`: written for comparing with the passport.
 */
export function answerGroups(
  t: Translate<'visa'>,
  language: Language,
  {
    answers,
    isAsked = () => true,
    changeAt = () => '',
    names,
    asInPassport,
  }: {
    answers: VisaAnswers;
    isAsked?: (field: VisaField) => boolean;
    changeAt?: (field: VisaField) => string;
    names: { country: string; speed: string; place: (code: string) => string };
    asInPassport: boolean;
  },
): AnswerGroup[] {
  const rows = reviewRows(t, language, { form: 'visa', answers, changeAt });
  const { row, typed, date, name, documentNumber } = rows;
  const chosen = (field: VisaField, group: string) => {
    const value = answers[field] ?? '';
    return row(field, t(`${group}.${value}`, value));
  };
  const { documentType = '' } = answers;
  const document = t(`catalog:travelDocument.${documentType}`, documentType);
  const isVisa = answers.supportingDocumentType === 'visa';
  const issuer = (isVisa ? answers.visaCountry : answers.residenceCountry) ?? '';
  const coded: Readonly<Record<Coded, () => ShownAnswer | null>> = {
    // Both are changed on one page.
    countryId: () =>
      row('countryId', asInPassport ? `${names.country} · ${document}` : names.country),
    documentType: () => (asInPassport ? null : row('documentType', document)),
    hasSupportingDocument: () =>
      row(
        'hasSupportingDocument',
        answers.hasSupportingDocument === EXEMPT
          ? t('review.exempt')
          : t(isVisa ? 'review.visaOf' : 'review.residenceOf', { place: names.place(issuer) }),
      ),
    supportingDocumentType: () => null,
    visaCountry: () => null,
    residenceCountry: () => null,
    purpose: () => chosen('purpose', 'what_it_allows'),
    processingType: () => row('processingType', names.speed),
  };
  const codedBy: Readonly<Partial<Record<VisaField, () => ShownAnswer | null>>> = coded;
  const terms: Readonly<Partial<Record<VisaField, string>>> = asInPassport
    ? { passportIssueDate: t('review.issued'), passportExpiryDate: t('review.expires') }
    : {};

  function answerTo(field: VisaField): ShownAnswer | null {
    const write = codedBy[field];
    if (write) return write();
    const term = terms[field];
    switch (questionByField(field).answer) {
      case 'date':
        return date(field, term === undefined ? {} : { term });
      case 'date_or_unlimited':
        return answers[field] === 'unlimited'
          ? row(field, t('labels.supportingDocumentUnlimited'))
          : date(field);
      case 'document_number':
        return documentNumber(field);
      default:
        return asInPassport && (field === 'firstName' || field === 'lastName')
          ? name(field)
          : typed(field);
    }
  }

  const isShown = (field: VisaField) => Boolean(answers[field]) && isAsked(field);
  return shownGroups.map(({ title, groups }) => ({
    title: t(`review.${title}`),
    answers: fields
      .filter((field) => groups.some((group) => group === questionByField(field).group))
      .filter(isShown)
      .flatMap((field) => answerTo(field) ?? []),
  }));
}
