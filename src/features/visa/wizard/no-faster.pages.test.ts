import { beforeAll, expect, it } from 'vitest';
import { firstOffice } from '~/base/dates/office.ts';
import { readPhone } from '~/features/application/read-phone.server.ts';
import { languages } from '~/base/languages.ts';
import { visitor } from '~/features/insurance/testing/visit.ts';
import { check } from '../rules/check.ts';
import { checkCorrection } from '../correctable.ts';
import { seedVisaPrices } from '../store/store.server.ts';
import { completeAnswers, countries, NOW } from '../testing/sample-answers.ts';
import { indian, storeCountries } from '../testing/sample-browser.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';

/** On this Saturday, Urgent 12 hours and Urgent 24 hours both promise Tuesday at nine. */
const SATURDAY = new Date('2026-11-21T12:00:00Z');

const platform = await makeTestPlatform({ now: SATURDAY });
const browser = visitor(makeTestApp(platform));

beforeAll(async () => {
  await storeCountries(platform);
  await platform.db.transaction((tx) => seedVisaPrices(tx, SATURDAY));
});

const sent = (entries: Record<string, string>): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams({ ...indian, intent: 'next', ...entries }),
});

async function atArrival(prefix = '') {
  const visit = browser();
  await visit(`${prefix}/application`, sent({}));
  await visit(`${prefix}/application/supporting-document`, sent({}));
  return visit;
}

const cardsIn = (html: string) => html.match(/<label class="radio-card[ "].*?<\/label>/gs) ?? [];

it.each(languages)('a card says in $code that it is no faster', async ({ code }) => {
  const visit = await atArrival(`/${code}`);
  const { html } = await visit(`/${code}/application/arrival`);
  const cardNames = (value: string, name: string) =>
    cardsIn(html)
      .find((card) => card.includes(`value="${value}"`))
      ?.includes(name);
  const urgent24 = /value="urgent_24".*?<span[^>]*><span[^>]*>([^<]*)</s.exec(html)?.[1] ?? '?';
  expect(cardNames('urgent_12', urgent24)).toBe(true);
  expect(cardNames('urgent_4', urgent24)).toBe(false);
});

it('without scripts, a choice that is no faster is told and gives way to the cheapest that suits', async () => {
  const visit = await atArrival();
  const entries = {
    'arrivalDate-day': '26',
    'arrivalDate-month': '11',
    'arrivalDate-year': '2026',
    processingType: 'urgent_12',
    processingTypeShown: 'slow',
    processingTypeWish: '',
  };
  const { response, html } = await visit('/application/arrival', sent(entries));
  expect(response.status).toBe(409);
  expect(html).toContain('Right now Urgent, 12 hours is no faster than a cheaper option');
});

const answers = {
  ...completeAnswers(countries.india),
  arrivalDate: '2026-11-26',
  processingType: 'urgent_12',
};

it('is refused with a code of its own at a weekend, and sold when it is faster', () => {
  const at = (now: Date) =>
    check(answers, { now, country: countries.india, office: firstOffice, readPhone }).problems;
  expect(at(SATURDAY)).toEqual([{ field: 'processingType', code: 'no_faster' }]);
  expect(at(NOW)).toEqual([]);
});

it('does not stop the correction of an arrival whose speed was faster when it was bought', () => {
  const { problems } = checkCorrection(
    { stored: answers, corrected: { arrivalDate: '2026-11-27' }, asked: ['arrivalDate'] },
    {
      now: SATURDAY,
      appliedAt: SATURDAY,
      country: countries.india,
      office: firstOffice,
      readPhone,
    },
  );
  expect(problems).toEqual([]);
});
