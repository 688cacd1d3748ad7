import { formatDate, parseDate } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import type { Application } from '~/features/application/store.server.ts';
import { countryName, placeName } from '~/features/catalog/names.server.ts';
import { countryByCode } from '~/features/catalog/store.server.ts';
import { reviewRows, type AnswerGroup } from '~/features/form/page/review-rows.ts';
import { photosByOwner } from '~/features/insurance/store/photo-store.server.ts';
import {
  readInsuranceDetails,
  storedAnswers as insuranceAnswers,
} from '~/features/insurance/store/store.server.ts';
import { answerGroups } from '~/features/visa/answer-groups.ts';
import { readVisaDetails } from '~/features/visa/store/store.server.ts';
import { storedAnswers as visaAnswers } from '~/features/visa/store/answer-columns.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import type { Platform } from '~/platform/platform.server.ts';

/** One answer of a copy; `latin`: read from the left in every language. */
export type CopyRow = { term: string; value: string; latin: boolean };
export type CopyGroup = { title: string; rows: CopyRow[] };

/**
 * What a traveller answered, as the form's last page groups it, in a language; null once the answers were deleted. The
 * caller has checked who asks: the passport number is among them.
 */
export async function copyGroups(
  platform: Platform,
  application: Application,
  language: Language,
): Promise<CopyGroup[] | null> {
  const groups =
    application.kind === 'visa'
      ? await visaGroups(platform, application, language)
      : await insuranceGroups(platform, application, language);
  return groups?.map(({ title, answers }) => ({ title, rows: answers.flatMap(copyRow) })) ?? null;
}

/** Answers that were not given are left out. */
const copyRow = ({ term, value, latin }: AnswerGroup['answers'][number]): CopyRow[] =>
  typeof value === 'string' && value !== '' ? [{ term, value, latin: latin === true }] : [];

async function nationality(platform: Platform, code: string, language: Language): Promise<string> {
  const country = await countryByCode(platform, code);
  return country ? countryName(country, language) : code;
}

async function visaGroups(
  platform: Platform,
  application: Application,
  language: Language,
): Promise<AnswerGroup[] | null> {
  const details = await readVisaDetails(platform.db, platform.sealer, application.id);
  if (!details) return null;
  const { supportingDocumentType: type } = details;
  const answers = {
    ...visaAnswers(application, details),
    hasSupportingDocument: type ? 'yes' : '',
  };
  return answerGroups(makeTranslate(language, 'visa'), language, {
    answers,
    names: {
      country: await nationality(platform, application.countryCode, language),
      speed: service(application, language),
      place: (code) => placeName(code, language),
    },
    asInPassport: false,
  });
}

async function insuranceGroups(
  platform: Platform,
  application: Application,
  language: Language,
): Promise<AnswerGroup[] | null> {
  const details = await readInsuranceDetails(platform.db, platform.sealer, application.id);
  if (!details) return null;
  const answers = insuranceAnswers({ application, details });
  const t = makeTranslate(language, 'insurance');
  const { row, typed, date, documentNumber } = reviewRows(makeTranslate(language), language, {
    form: 'insurance',
    answers,
    changeAt: () => '',
  });
  const until = parseDate(details.coverUntil);
  const photos = await photosByOwner(platform.db, platform.sealer, {
    applicationId: application.id,
  });
  return [
    {
      title: t('trip.title'),
      answers: [
        date('travelDate'),
        date('returnDate'),
        row('productId', service(application, language), { term: t('tag.plan') }),
        row('productId', until ? formatDate(until, language) : '', { term: t('plan.until') }),
        { term: t('labels.destination'), value: placeName('TUR', language) },
      ],
    },
    {
      title: t('traveller.title'),
      answers: [
        row('nationality', await nationality(platform, application.countryCode, language)),
        row('documentType', travelDocument(application, language)),
        typed('lastName'),
        typed('firstName'),
        documentNumber('passportNumber'),
        date('dateOfBirth'),
        typed('placeOfBirth'),
      ],
    },
    ...(photos.length > 0
      ? [
          {
            title: t('parent.title'),
            answers: [
              row('productId', String(photos.length), { term: t('labels.parentIdPhotos') }),
            ],
          },
        ]
      : []),
    { title: t('contact.title'), answers: [typed('email'), typed('phone')] },
  ];
}

const travelDocument = ({ travelDocument: code }: Application, language: Language): string =>
  makeTranslate(language, 'catalog')(`travelDocument.${code}`, code);

const service = ({ service: code }: Application, language: Language): string =>
  makeTranslate(language, 'application')(`service.${code}.name`);
