import { beforeAll, describe, expect, it, test } from 'vitest';
import { languages } from '~/base/languages.ts';
import { visitor } from '~/features/insurance/testing/visit.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import { seedVisaPrices } from '../store/store.server.ts';
import { NOW } from '../testing/sample-answers.ts';
import { indian, southAfrican, storeCountries } from '../testing/sample-browser.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';

const platform = await makeTestPlatform({ now: NOW });
const browser = visitor(makeTestApp(platform));
type Visit = ReturnType<typeof browser>;

beforeAll(async () => {
  await storeCountries(platform);
  await platform.db.transaction((tx) => seedVisaPrices(tx, NOW));
});

const sent = (answers: Record<string, string>): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams({ intent: 'next', ...answers }),
});

const pageIn = (html: string) => /name="page"[^>]*value="([^"]*)"/.exec(html)?.[1] ?? '';
const textIn = (html: string) => html.replaceAll('&#x27;', "'").replace(/<[^>]*>/g, '');
const NOTICE = 'The nationality in this application is now';

async function answer(visit: Visit, steps: readonly string[], answers: Record<string, string>) {
  for (const step of steps) await visit(`/application${step}`, sent(answers));
}

/** A South African's browser, with one of the later pages open in its first tab. */
async function withTab(path: string) {
  const visit = browser();
  await answer(visit, ['', '/what-it-allows', '/arrival', '/details'], southAfrican);
  const page = pageIn((await visit(path)).html);
  expect(page).not.toBe('');
  return { visit, page };
}

describe('a nationality that a second tab has chosen', () => {
  it('is told at the first tab’s next button, and what was typed there is kept', async () => {
    const { visit, page } = await withTab('/application/details');
    await visit('/application', sent(indian));
    const motherName = 'Zanele Dlamini';
    const redirected = await visit(
      '/application/details',
      sent({ ...southAfrican, motherName, page }),
    );
    expect(redirected).toMatchObject({
      response: { status: 303 },
      location: '/application/supporting-document?nationality',
    });
    const { html } = await visit(redirected.location);
    expect(textIn(html)).toContain(`${NOTICE} India`);
    expect(html).toContain('role="alert"');
    await answer(visit, ['/supporting-document', '/arrival', '/prerequisites'], indian);
    expect((await visit('/application/details')).html).toContain(`value="${motherName}"`);
  });

  test.each(['previous', 'later', 'language'])(
    'is told by the button "%s", too',
    async (intent) => {
      const { visit, page } = await withTab('/application/details');
      await visit('/application', sent(indian));
      const redirected = await visit(
        '/application/details',
        sent({ ...southAfrican, page, intent }),
      );
      expect(redirected.location).toBe('/application/supporting-document?nationality');
    },
  );

  it('is told on the same page where that is still asked, and the next press goes on', async () => {
    const { visit, page } = await withTab('/application/details');
    const steps = ['', '/supporting-document', '/arrival', '/prerequisites'];
    await answer(visit, steps, indian);
    const redirected = await visit('/application/details', sent({ ...southAfrican, page }));
    expect(redirected.location).toBe('/application/details?nationality');
    const { html } = await visit(redirected.location);
    expect(textIn(html)).toContain(`${NOTICE} India`);
    const again = sent({ ...southAfrican, page: pageIn(html) });
    expect((await visit('/application/details', again)).location).toBe('/application/review');
  });

  test.each(['pay', 'quote'])(
    'is never submitted by a review of another one (%s)',
    async (intent) => {
      const { visit, page } = await withTab('/application/review');
      const steps = ['', '/supporting-document', '/arrival', '/prerequisites', '/details'];
      await answer(visit, steps, indian);
      const redirected = await visit('/application/review', sent({ scripts: 'no', intent, page }));
      expect(redirected.location).toBe('/application/review?nationality');
      expect(textIn((await visit(redirected.location)).html)).toContain(`${NOTICE} India`);
      const { rows } = await platform.pool.query('select 1 from application');
      expect(rows).toEqual([]);
    },
  );

  it('is no news to a page that was shown for it', async () => {
    const { visit, page } = await withTab('/application/details');
    const sentAgain = await visit('/application/details', sent({ ...southAfrican, page }));
    expect(sentAgain.location).toBe('/application/review');
    expect((await visit('/application/review')).html).not.toContain(NOTICE);
  });

  it.each(languages)('is named in $code', async ({ code }) => {
    const visit = browser();
    await answer(visit, [''], southAfrican);
    const { html } = await visit(`/${code}/application/what-it-allows?nationality`);
    const [before = ''] = makeTranslate(code)('visa:elsewhere.nationality', {
      nationality: '|',
    }).split('|');
    expect(textIn(html)).toContain(before);
    // React's mark of a part that only a script would move into place.
    expect(html).not.toContain('<!--$?-->');
  });
});
