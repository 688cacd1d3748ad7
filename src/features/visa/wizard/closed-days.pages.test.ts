import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { formatDate, parseDate } from '~/base/dates/dates.ts';
import { holidays } from '~/base/dates/holidays.ts';
import { languages } from '~/base/languages.ts';
import { visitor } from '~/features/insurance/testing/visit.ts';
import { insertChange, invalidateSettings } from '~/features/settings/store.server.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import { seedVisaPrices } from '../store/store.server.ts';
import { southAfrican, storeCountries } from '../testing/sample-browser.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';

/** The day before Republic Day, whose eve begins that afternoon. */
const BEFORE_HOLIDAY = new Date('2026-10-27T10:00:00Z');
const platform = await makeTestPlatform({ now: BEFORE_HOLIDAY });
const browser = visitor(makeTestApp(platform));

beforeAll(async () => {
  await storeCountries(platform);
  await platform.db.transaction((tx) => seedVisaPrices(tx, BEFORE_HOLIDAY));
});

const textIn = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&#x27;', "'")
    .replaceAll('\u00a0', ' ');

const written = (text: string, language: (typeof languages)[number]['code']) => {
  const date = parseDate(text);
  return date ? formatDate(date, language) : '';
};

async function atStep(step: string, prefix = '') {
  const visit = browser();
  const body = new URLSearchParams({ ...southAfrican, intent: 'next' });
  for (const path of ['', '/what-it-allows', '/arrival', '/details']) {
    await visit(`/application${path}`, { method: 'POST', body });
  }
  return textIn((await visit(`${prefix}/application/${step}`)).html);
}

test.each(languages)('the promise says which days it skips, in $code', async ({ code }) => {
  const t = makeTranslate(code);
  for (const step of ['arrival', 'review']) {
    const text = await atStep(step, `/${code}`);
    expect(text, step).toContain(textIn(t('application:closedDays.skipped')));
    expect(text, step).toContain(textIn(t('application:closedDays.republic')));
    expect(text, step).toContain(textIn(written('2026-10-28', code)));
    expect(text, step).toContain(textIn(written('2026-10-29', code)));
  }
  for (const holiday of holidays) expect(t(`application:closedDays.${holiday}`)).not.toBe(holiday);
});

it('is later by the skipped days', async () => {
  // Fast: 24 working hours are two days of nine hours and six hours.
  expect(await atStep('arrival')).toContain('Fri 30 Oct');
});

test.each(languages)('processing times name the holidays of a year, in $code', async ({ code }) => {
  const { html } = await browser()(`/${code}/processing-times`);
  const text = textIn(html);
  for (const day of ['2026-10-28', '2027-01-01', '2027-03-08', '2027-04-23', '2027-07-15']) {
    expect(text, day).toContain(textIn(written(day, code)));
  }
  expect(text).toContain(textIn(makeTranslate(code)('application:closedDays.kurban')));
});

describe('a closure that the operator entered', () => {
  const closed = { from: '2026-11-02', to: '2026-11-03' };

  beforeAll(async () => {
    await platform.db.transaction((tx) =>
      insertChange(tx, {
        section: 'closed_days',
        values: { [randomUUID()]: closed },
        validFrom: BEFORE_HOLIDAY,
        reason: 'Stocktaking',
        staffId: null,
        createdAt: BEFORE_HOLIDAY,
      }),
    );
    invalidateSettings(platform.db);
  });

  test.each(languages)('is named where the promise passes over it, in $code', async ({ code }) => {
    const t = makeTranslate(code);
    for (const step of ['arrival', 'review']) {
      const text = await atStep(step, `/${code}`);
      expect(text, step).toContain(textIn(t('application:closedDays.office')));
      expect(text, step).toContain(textIn(written(closed.from, code)));
      expect(text, step).not.toContain('Stocktaking');
    }
  });

  it('makes the promise later', async () => {
    const text = await atStep('arrival');
    // Standard: 48 working hours are five days of nine hours and three hours. The 27 and 30 October and 4 to 6 November
    // have 44.
    expect(text).toContain('Mon 9 Nov');
    expect(text).not.toContain('Thu 5 Nov');
    expect(text).toContain('Fri 30 Oct');
  });
});
