import { choose, chooseNationality, next } from './apply.ts';
import { day, fillDate, test } from './lale.ts';
import { recordLiveRegions } from './live-regions.ts';

test('the recorder hears what a screen reader is handed, and not what it may miss', async ({
  page,
}) => {
  const live = await recordLiveRegions(page);
  await page.route('**/regions', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<title>First</title><div aria-live="polite" id="polite">Loaded</div><output id="output"></output>
        <div hidden id="hidden" role="status"></div><h1 id="heading" tabindex="-1">Heading</h1>`,
    }),
  );
  await page.goto('/regions');
  await page.evaluate(() => {
    const put = (id: string, markup: string) =>
      document.getElementById(id)?.insertAdjacentHTML('beforeend', markup);
    const later = () => new Promise((done) => setTimeout(done));
    return [
      () => put('polite', '<p>Added</p>'),
      () => document.querySelector('#polite p')?.remove(),
      () => put('output', 'One<i aria-hidden="true">unsaid</i>'),
      () => put('output', ', two'),
      () => document.body.insertAdjacentHTML('beforeend', '<p role="status">Inserted filled</p>'),
      () => document.body.insertAdjacentHTML('beforeend', '<p role="alert">Inserted alert</p>'),
      () => {
        put('hidden', 'Shown filled');
        document.getElementById('hidden')?.removeAttribute('hidden');
      },
      () => put('hidden', ', then more'),
      () => (document.title = 'Second'),
      () => document.getElementById('heading')?.focus(),
    ].reduce(async (earlier, step) => {
      await earlier;
      step();
      await later();
    }, Promise.resolve());
  });
  await live.expectHeard([
    'title: First',
    'polite: Added',
    'polite: One',
    'polite: One, two',
    'assertive: Inserted alert',
    'polite: Shown filled, then more',
    'title: Second',
    'focus: Heading',
  ]);
});

test('a speed that follows the arrival date is announced once', async ({ page }) => {
  const live = await recordLiveRegions(page);
  await page.goto('/application');
  await chooseNationality(page, 'ZAF');
  await next(page);
  await page.waitForURL('**/what-it-allows');
  await choose(page, 'purpose', 'tourism');
  await next(page);
  await page.waitForURL('**/application/arrival');
  await fillDate(page, 'arrivalDate', day(60));
  await live.expectHeard([]);
  await fillDate(page, 'arrivalDate', day(7));
  await live.expectHeard([
    'polite: Standard does not fit your arrival date. We’ve selected Fast, the cheapest that does: $144.00 instead of $94.00.',
  ]);
});
