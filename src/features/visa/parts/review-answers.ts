import type { Translate } from '~/base/read-text.ts';
import type { MomentStyle } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import type { Answer } from '~/ui/answers.tsx';
import { EXEMPT, pathOf, type Field } from '../rules/answers.ts';
import { reviewRows, type AnswerGroup } from '~/features/form/page/review-rows.ts';
import type { StepView } from './step-view.ts';
import { steps, BACK_TO_REVIEW } from '../rules/steps.ts';
import { forTraveller } from '../party/party.ts';
import { promisedNow } from '../rules/promised-now.ts';

/** The answers for comparing with the passport, each with the link to change it. */
export function reviewAnswers(
  t: Translate<'visa'>,
  language: Language,
  { answers, country, closures, places, party }: StepView,
  now: Date,
  /** Writes a moment in the visitor's time. */
  writeMoment: (at: Date, style: MomentStyle) => string,
): AnswerGroup[] {
  const readyBy = promisedNow(answers, country, now, closures);
  const { row, typed, date, name, documentNumber } = reviewRows(t, language, {
    form: 'visa',
    answers,
    changeAt: (field: Field) =>
      forTraveller(
        `${steps.find((step) => step.fields.includes(field))?.url}?${BACK_TO_REVIEW}#${field}`,
        party,
      ),
  });
  /** The text of a chosen value. */
  const chosen = (field: Field, group: string) => {
    const value = answers[field] ?? '';
    return t(`${group}.${value}`, value);
  };

  return [
    {
      title: t('review.trip'),
      answers: [
        row('countryId', country?.name),
        row('documentType', chosen('documentType', 'catalog:travelDocument')),
        ...(answers.hasSupportingDocument === 'yes' ? supportingDocument() : []),
        ...(answers.hasSupportingDocument === EXEMPT
          ? [row('hasSupportingDocument', t('review.exempt'))]
          : []),
        ...(pathOf(country, answers) === 'without_document'
          ? [row('purpose', chosen('purpose', 'what_it_allows'))]
          : []),
        date('arrivalDate'),
        row(
          'processingType',
          readyBy
            ? t('review.processingAnswer', {
                speed: chosen('processingType', 'speed'),
                moment: writeMoment(readyBy, 'dated'),
              })
            : '',
        ),
      ],
    },
    {
      title: t('review.passport'),
      answers: [
        name('lastName'),
        name('firstName'),
        documentNumber('passportNumber'),
        date('dateOfBirth'),
        typed('placeOfBirth'),
        date('passportIssueDate', { term: t('review.issued') }),
        date('passportExpiryDate', { term: t('review.expires') }),
      ],
    },
    { title: t('review.parents'), answers: [typed('motherName'), typed('fatherName')] },
    { title: t('review.contact'), answers: [typed('email'), typed('phone'), typed('address')] },
  ];

  function supportingDocument(): Answer[] {
    const isVisa = answers.supportingDocumentType === 'visa';
    const code = (isVisa ? answers.visaCountry : answers.residenceCountry) ?? '';
    const place = places[code] ?? code;
    const end = answers.supportingDocumentEndDate;
    return [
      row('hasSupportingDocument', t(isVisa ? 'review.visaOf' : 'review.residenceOf', { place })),
      documentNumber('supportingDocumentNumber'),
      ...(answers.supportingDocumentStartDate ? [date('supportingDocumentStartDate')] : []),
      end === 'unlimited'
        ? row('supportingDocumentEndDate', t('labels.supportingDocumentUnlimited'))
        : date('supportingDocumentEndDate'),
    ];
  }
}
