import { tidyDocumentNumber } from '~/features/application/document-number.ts';
import type { Translate } from '~/base/read-text.ts';
import { formatDate, parseDate } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import { machineReadable } from '~/features/application/machine-readable.ts';
import type { Answer } from '~/ui/answers.tsx';
import type { Field, Question } from '../rules/answers.ts';
import { planLength } from '../rules/plans.ts';
import type { ReviewView } from './review.server.ts';
import { lastInsuredDay } from '../rules/trip.ts';

export type AnswerGroup = { title: string; answers: readonly Answer[] };

/** The answers as the traveller compares them with the passport, each with the place where it is changed. */
export function reviewAnswers(
  t: Translate<'insurance'>,
  language: Language,
  { answers, plan, nationality, destination }: ReviewView,
): AnswerGroup[] {
  const row = (field: Field, value: string, extra: Partial<Answer> = {}): Answer => ({
    term: t(`labels.${field}`),
    value,
    change: `/insurance#${field}`,
    ...extra,
  });
  const typed = (field: Question) => row(field, answers[field] ?? '', { latin: true });
  const date = (field: Question) => {
    const day = parseDate(answers[field] ?? '');
    return row(field, day ? formatDate(day, language) : '');
  };
  const capitals = (field: Question) => {
    const name = machineReadable(answers[field] ?? '');
    return row(field, name.ok ? name.text : (answers[field] ?? ''), { latin: true });
  };
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
        row('destination', destination),
      ],
    },
    {
      title: t('traveller.title'),
      answers: [
        row('nationality', nationality),
        row('documentType', t(`catalog:travelDocument.${document}`, document)),
        capitals('lastName'),
        capitals('firstName'),
        row('passportNumber', tidyDocumentNumber(answers.passportNumber ?? ''), {
          latin: true,
          mono: true,
        }),
        date('dateOfBirth'),
        ...(answers.placeOfBirth ? [typed('placeOfBirth')] : []),
      ],
    },
    { title: t('contact.title'), answers: [typed('email'), typed('phone')] },
  ];
}
