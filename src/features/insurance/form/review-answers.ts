import type { Translate } from '~/base/read-text.ts';
import { formatDate, parseDate } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import { reviewRows, type AnswerGroup } from '~/features/form/page/review-rows.ts';
import type { Field } from '../rules/answers.ts';
import { planLength } from '../rules/plans.ts';
import type { ReviewView } from './review.server.ts';
import { lastInsuredDay } from '../rules/trip.ts';

/** The answers for comparing with the passport, each with the link to change it. */
export function reviewAnswers(
  t: Translate<'insurance'>,
  language: Language,
  { answers, plan, nationality, destination }: ReviewView,
): AnswerGroup[] {
  const { row, typed, date, name, documentNumber } = reviewRows(t, language, {
    form: 'insurance',
    answers,
    changeAt: (field: Field) => `/insurance#${field}`,
  });
  const from = parseDate(answers.travelDate ?? '');
  const document = answers.documentType || 'ordinary';
  const until = from ? formatDate(lastInsuredDay(from, plan), language) : '';
  const length = planLength(plan.days, t);
  return [
    {
      title: t('trip.title'),
      answers: [
        date('travelDate'),
        date('returnDate'),
        row('productId', t('review.plan', { plan: length, until }), { term: t('tag.plan') }),
        { term: t('labels.destination'), value: destination },
      ],
    },
    {
      title: t('traveller.title'),
      answers: [
        row('nationality', nationality),
        row('documentType', t(`catalog:travelDocument.${document}`, document)),
        name('lastName'),
        name('firstName'),
        documentNumber('passportNumber'),
        date('dateOfBirth'),
        ...(answers.placeOfBirth ? [typed('placeOfBirth')] : []),
      ],
    },
    { title: t('contact.title'), answers: [typed('email'), typed('phone')] },
  ];
}
