import type { Translate } from '~/base/read-text.ts';
import { formatDate, parseDate, type MomentStyle } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import type { Answer } from '~/ui/answers.tsx';
import type { Field } from '../rules/answers.ts';
import { tidyDocumentNumber } from '~/features/application/document-number.ts';
import { machineReadable } from '~/features/application/machine-readable.ts';
import type { StepView } from './step-view.ts';
import { steps, BACK_TO_REVIEW } from '../rules/steps.ts';
import { promisedNow } from '../rules/promised-now.ts';

export type AnswerGroup = { title: string; answers: readonly Answer[] };

/** The answers as the traveller compares them with the passport, each with the page where it is changed. */
export function reviewAnswers(
  t: Translate<'visa'>,
  language: Language,
  { answers, country, places }: StepView,
  now: Date,
  /** Writes a moment where the visitor is. */
  writeMoment: (at: Date, style: MomentStyle) => string,
): AnswerGroup[] {
  const readyBy = promisedNow(answers, country, now);
  const date = (field: Field): string => {
    const day = parseDate(answers[field] ?? '');
    return day ? formatDate(day, language) : (answers[field] ?? '');
  };
  const capitals = (field: Field): string => {
    const name = machineReadable(answers[field] ?? '');
    return name.ok ? name.text : (answers[field] ?? '');
  };
  const row = (field: Field, value: string | undefined, extra: Partial<Answer> = {}): Answer => ({
    term: t(`labels.${field}`),
    value,
    change: `${steps.find((step) => step.fields.includes(field))?.url}?${BACK_TO_REVIEW}#${field}`,
    ...extra,
  });
  /** The words of what was chosen. */
  const chosen = (field: Field, group: string) => {
    const value = answers[field] ?? '';
    return t(`${group}.${value}`, value);
  };
  const typed = (field: Field) => row(field, answers[field], { latin: true });

  return [
    {
      title: t('review.trip'),
      answers: [
        row('countryId', country?.name),
        row('documentType', chosen('documentType', 'catalog:travelDocument')),
        ...(answers.hasSupportingDocument === 'yes' ? supportingDocument() : []),
        ...(country?.regime === 'evisa'
          ? [row('purpose', chosen('purpose', 'what_it_allows'))]
          : []),
        row('arrivalDate', date('arrivalDate')),
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
        row('lastName', capitals('lastName'), { latin: true }),
        row('firstName', capitals('firstName'), { latin: true }),
        row('passportNumber', tidyDocumentNumber(answers.passportNumber ?? ''), {
          latin: true,
          mono: true,
        }),
        row('dateOfBirth', date('dateOfBirth')),
        typed('placeOfBirth'),
        row('passportIssueDate', date('passportIssueDate'), { term: t('review.issued') }),
        row('passportExpiryDate', date('passportExpiryDate'), { term: t('review.expires') }),
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
      row('supportingDocumentNumber', tidyDocumentNumber(answers.supportingDocumentNumber ?? ''), {
        latin: true,
        mono: true,
      }),
      ...(answers.supportingDocumentStartDate
        ? [row('supportingDocumentStartDate', date('supportingDocumentStartDate'))]
        : []),
      row(
        'supportingDocumentEndDate',
        end === 'unlimited'
          ? t('labels.supportingDocumentUnlimited')
          : date('supportingDocumentEndDate'),
      ),
    ];
  }
}
