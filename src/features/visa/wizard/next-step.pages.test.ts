import { beforeAll, describe, expect, it } from 'vitest';
import { visitor } from '~/features/insurance/testing/visit.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { seedVisaPrices } from '../store/store.server.ts';
import { exemptAnswers, NOW } from '../testing/sample-answers.ts';
import {
  controls,
  indian,
  southAfrican,
  storeCountries,
} from '../testing/sample-browser.server.ts';

const platform = await makeTestPlatform({ now: NOW });
const browser = visitor(makeTestApp(platform));

beforeAll(async () => {
  await storeCountries(platform);
  await platform.db.transaction((tx) => seedVisaPrices(tx, NOW));
});

const sent = (entries: Record<string, string>): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams({ intent: 'next', ...entries }),
});
const nextIn = (html: string) =>
  /<button[^>]*value="next"[^>]*>(.*?)<\/button>/s.exec(html)?.[1]?.replaceAll(/<[^>]*>/g, '|') ??
  '';
const totalIn = (html: string) =>
  /<span[^>]*data-testid="total"[^>]*>(.*?)<\/span>/s.exec(html)?.[1] ?? '';
const STEP = '/application/supporting-document';

/** A browser without scripts with all answers of a South African. */
async function atReview(arrivalDate = '2027-01-15') {
  const visit = browser();
  const answers = { ...southAfrican, ...controls({ arrivalDate }) };
  for (const step of ['', '/what-it-allows', '/arrival', '/details']) {
    await visit(`/application${step}`, sent(answers));
  }
  return visit;
}

describe('a nationality changed from the review', () => {
  it('leads to the document, and from there to the step that is open next', async () => {
    const visit = await atReview();
    const { location } = await visit('/application?then=review', sent(indian));
    expect(location).toBe(STEP);
    const { location: next } = await visit(`${STEP}?then=review`, sent(indian));
    expect(next).toBe('/application/arrival');
  });

  it('shows on the tag what the next page will ask for the arrival', async () => {
    // The cheapest speed with a document, of seven working days, is too slow.
    const visit = await atReview('2026-12-01');
    await visit('/application', sent({ ...indian, ...controls({ arrivalDate: '2026-12-01' }) }));
    const document = (await visit(STEP)).html;
    await visit(STEP, sent(indian));
    const arrival = (await visit('/application/arrival')).html;
    expect(totalIn(document)).toBe('$184.00');
    expect(totalIn(arrival)).toBe(totalIn(document));
  });
});

describe('an answer changed from the review', () => {
  it('leads back there where nothing else is open', async () => {
    const visit = browser();
    const steps = ['', '/supporting-document', '/arrival', '/prerequisites', '/details'];
    for (const step of steps) await visit(`/application${step}`, sent(indian));
    expect((await visit(`${STEP}?then=review`, sent(indian))).location).toBe('/application/review');
  });

  it('says where an answer leads that ends the application', async () => {
    const visit = browser();
    await visit('/application', sent(controls(exemptAnswers)));
    expect(nextIn((await visit(STEP)).html)).toMatch(/\|Next\|.*Next: travel insurance/);
  });
});
