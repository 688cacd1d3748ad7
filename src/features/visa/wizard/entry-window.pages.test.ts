import { beforeAll, expect, it, test } from 'vitest';
import { firstOffice } from '~/base/dates/office.ts';
import { addDays, formatDate, parseDate } from '~/base/dates/dates.ts';
import { languages } from '~/base/languages.ts';
import { readPhone } from '~/features/application/read-phone.server.ts';
import { visitor } from '~/features/insurance/testing/visit.ts';
import { ENTRY_MONTHS } from '~/features/application/entry-rule.ts';
import { limitsInTexts } from '~/features/form/answers/limits.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import { check } from '../rules/check.ts';
import { seedVisaPrices } from '../store/store.server.ts';
import { arrivalWindow } from '../rules/ready-by.ts';
import { completeAnswers, countries, NOW } from '../testing/sample-answers.ts';
import { indian, storeCountries } from '../testing/sample-browser.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';

const platform = await makeTestPlatform({ now: NOW });
const browser = visitor(makeTestApp(platform));

beforeAll(async () => {
  await storeCountries(platform);
  await platform.db.transaction((tx) => seedVisaPrices(tx, NOW));
});

const { processingType = '' } = completeAnswers(countries.india);
const { latest } = arrivalWindow('with_document', processingType, NOW, firstOffice);

/** A page's text, as read. */
const textIn = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&#x27;', "'")
    .replaceAll('\u00a0', ' ');

test.each(languages)('one last day to enter, in $code', async ({ code }) => {
  const t = makeTranslate(code);
  const visit = browser();
  const body = new URLSearchParams({ ...indian, intent: 'next' });
  for (const step of ['', '/supporting-document']) {
    await visit(`/application${step}`, { method: 'POST', body });
  }
  await visit('/application/arrival', { method: 'POST', body });
  const prerequisites = textIn((await visit(`/${code}/application/prerequisites`)).html);
  const date = formatDate(latest, code);
  const label = t('visa:prerequisites.enterWithin3Months', { ...limitsInTexts, date });
  expect(label).toContain(String(ENTRY_MONTHS));
  expect(label).toContain(date);
  expect(prerequisites).toContain(textIn(label));
});

it('is the day that the prerequisite names: the rules accept it and refuse the next one', () => {
  const problemsAt = (arrivalDate: string) =>
    check(
      { ...completeAnswers(countries.india), arrivalDate, passportExpiryDate: '2035-01-01' },
      { now: NOW, country: countries.india, office: firstOffice, readPhone },
    ).problems.filter(({ field }) => field === 'arrivalDate' || field === 'processingType');
  const last = parseDate(latest);
  if (!last) throw new Error('no date');
  expect(problemsAt(last)).toEqual([]);
  expect(problemsAt(addDays(last, 1))).toMatchObject([
    { code: expect.stringMatching(/too_far|beyond_window/) },
  ]);
});

/** Every text about the window counts from the issue, and none from the promised moment. */
test.each(languages)('is counted from the issue of the e-visa, in $code', ({ code }) => {
  const t = makeTranslate(code);
  const issued: Record<string, RegExp> = {
    en: /the e-visa being issued/,
    tr: /e-vizenin verilmesinden sonra/,
    fr: /la délivrance de l’e-visa/,
    de: /Ausstellung des E-Visums/,
    es: /la expedición del visado/,
    ar: /من إصدار التأشيرة الإلكترونية/,
  };
  for (const key of [
    'application:entry.rule',
    'application:entry.undated',
    'visa:prerequisites.enterWithin3Months',
    'visa:errors.arrivalDate.beyond_window.text',
    'visa:errors.processingType.too_far.text',
  ] as const) {
    expect(t(key, { date: 'x' }), key).toMatch(issued[code] ?? /^$/);
  }
});
