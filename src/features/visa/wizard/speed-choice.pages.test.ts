import { beforeAll, describe, expect, it } from 'vitest';
import { splitDate } from '~/base/dates/dates.ts';
import { firstOffice } from '~/base/dates/office.ts';
import { languages } from '~/base/languages.ts';
import { visitor } from '~/features/insurance/testing/visit.ts';
import { arrivalWindow } from '../rules/ready-by.ts';
import { seedVisaPrices } from '../store/store.server.ts';
import { NOW } from '../testing/sample-answers.ts';
import { indian, southAfrican, storeCountries } from '../testing/sample-browser.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';

const platform = await makeTestPlatform({ now: NOW });
const browser = visitor(makeTestApp(platform));

beforeAll(async () => {
  await storeCountries(platform);
  await platform.db.transaction((tx) => seedVisaPrices(tx, NOW));
});

type Controls = Record<string, string>;
const sent = (entries: Controls): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams({ intent: 'next', ...entries }),
});

const arriving = (year: string, month: string, day: string): Controls => ({
  'arrivalDate-day': day,
  'arrivalDate-month': month,
  'arrivalDate-year': year,
});

/** The values that the page's form would send at once. */
function heldIn(html: string): Controls {
  const hidden = (name: string) =>
    new RegExp(`<input(?=[^>]*name="${name}")[^>]*value="([^"]*)"`).exec(html)?.[1] ?? '';
  const radio = /<input(?=[^>]*name="processingType")(?=[^>]*checked)[^>]*value="([^"]*)"/.exec(
    html,
  );
  return {
    processingType: radio?.[1] ?? '',
    processingTypeShown: hidden('processingTypeShown'),
    processingTypeWish: hidden('processingTypeWish'),
    page: hidden('page'),
    version: hidden('version'),
  };
}

const notesIn = (html: string) =>
  /<p[^>]*data-testid="choice-notes"[^>]*>(.*?)<\/p>/s.exec(html)?.[1] ?? '';
const alertIn = (html: string) => /<div[^>]*role="alert"[^>]*>.*?<\/div>/s.exec(html)?.[0] ?? '';
const totalIn = (html: string) =>
  /<span[^>]*data-testid="total"[^>]*>(.*?)<\/span>/s.exec(html)?.[1] ?? '';

/** A browser without scripts at the step of arrival and processing. */
async function atArrival(answers: Controls, prefix = '') {
  const visit = browser();
  await visit(`${prefix}/application`, sent(answers));
  for (const step of ['what-it-allows', 'supporting-document']) {
    await visit(`${prefix}/application/${step}`, sent(answers));
  }
  const path = `${prefix}/application/arrival`;
  let { html } = await visit(path);
  return {
    html: () => html,
    reload: async () => (html = (await visit(path)).html),
    /** Presses Next with the page's values and these changes. */
    async next(changes: Controls) {
      const answer = await visit(path, sent({ ...heldIn(html), ...changes }));
      if (answer.response.status !== 303) ({ html } = answer);
      return answer;
    },
  };
}

const NEAR = arriving('2026', '11', '24');
const FAR = arriving('2027', '1', '10');

describe('the processing type that the form chose', () => {
  it('follows the arrival up and down, and every new price is shown first', async () => {
    const page = await atArrival(southAfrican);
    expect(heldIn(page.html())).toMatchObject({
      processingType: 'standard',
      processingTypeWish: '',
    });

    const dearer = await page.next(NEAR);
    expect(dearer.response.status).toBe(409);
    expect(heldIn(dearer.html)).toMatchObject({
      processingType: 'express',
      processingTypeShown: 'express',
      processingTypeWish: '',
    });
    for (const place of [alertIn(dearer.html), notesIn(dearer.html)]) {
      expect(place).toContain('$244.00 instead of $94.00');
    }
    expect(totalIn(dearer.html)).toContain('$244.00');
    expect(dearer.html).toContain('was $94.00');

    const cheaper = await page.next(FAR);
    expect(cheaper.response.status).toBe(409);
    expect(heldIn(cheaper.html)).toMatchObject({ processingType: 'standard' });
    expect(notesIn(cheaper.html)).toContain('$94.00 instead of $244.00');
    expect(await page.next(FAR)).toMatchObject({ location: '/application/details' });
  });

  it('is not bought at the price of a date that was refused', async () => {
    const page = await atArrival(indian);
    expect(heldIn(page.html()).processingType).toBe('slow');
    const { html } = await page.next(NEAR);
    expect(heldIn(html).processingType).toMatch(/^urgent_/);
    await page.next(arriving('2027', '2', '10'));
    expect(heldIn(page.html())).toMatchObject({ processingType: 'slow', processingTypeWish: '' });
    expect(totalIn(page.html())).toContain('$119.00');
  });

  it('stays with half a date, and with a day that nothing suits', async () => {
    const page = await atArrival(southAfrican);
    await page.next(NEAR);
    for (const date of [arriving('', '', '10'), arriving('2026', '11', '23')]) {
      const refused = await page.next(date);
      expect(refused.response.status).toBe(422);
      expect(heldIn(refused.html)).toMatchObject({
        processingType: 'express',
        processingTypeWish: '',
      });
    }
    await page.next(FAR);
    expect(heldIn(page.html()).processingType).toBe('standard');
  });

  it('says again after a reload what a date changed that Next was not pressed for', async () => {
    const page = await atArrival(southAfrican);
    await page.next({ ...NEAR, intent: 'previous' });
    const html = await page.reload();
    expect(heldIn(html).processingType).toBe('express');
    expect(notesIn(html)).toContain('$244.00 instead of $94.00');
  });
});

describe('the processing type that the visitor chose', () => {
  it('is kept, and the page says what would do for less', async () => {
    const page = await atArrival(southAfrican);
    expect(await page.next({ ...FAR, processingType: 'fast' })).toMatchObject({
      location: '/application/details',
    });
    const html = await page.reload();
    expect(heldIn(html)).toMatchObject({ processingType: 'fast', processingTypeWish: 'fast' });
    expect(notesIn(html)).toContain('Standard also fits your arrival date');
  });

  it('gives way to an arrival that rules it out, and comes back with another', async () => {
    const page = await atArrival(southAfrican);
    const ruledOut = await page.next({ ...NEAR, processingType: 'fast' });
    expect(ruledOut.response.status).toBe(409);
    expect(heldIn(ruledOut.html)).toMatchObject({
      processingType: 'express',
      processingTypeWish: 'fast',
    });
    expect(notesIn(ruledOut.html)).toContain('Fast is too slow for your arrival date');
    const back = await page.next(FAR);
    expect(heldIn(back.html)).toMatchObject({ processingType: 'fast', processingTypeWish: 'fast' });
    expect(notesIn(back.html)).toContain('Your own choice');
    expect(await page.next(FAR)).toMatchObject({ location: '/application/details' });
  });

  it('gives way to an arrival for which it would be ready too early', async () => {
    const page = await atArrival(indian);
    const { latest } = arrivalWindow('with_document', 'slow', NOW, firstOffice);
    const { year, month, day } = splitDate(latest);
    const last = arriving(String(year), String(month), String(day));
    const { html } = await page.next({ ...last, processingType: 'urgent_24' });
    expect(notesIn(html)).toContain('would be ready too early for your arrival date');
  });
});

it.each(languages)('a changed price is said in $code', async ({ code }) => {
  const page = await atArrival(southAfrican, `/${code}`);
  const { response, html } = await page.next(NEAR);
  expect(response.status).toBe(409);
  for (const place of [alertIn(html), notesIn(html)]) {
    expect(place).toContain('244');
    expect(place).toContain('94');
  }
});
