import { storeAdministrator, storeTeam } from './desk-seed.ts';
import { expect, scriptsRun, signedInPage, test, type Page } from './lale.ts';

const widths = [390, 1000, 1280];
const MESSAGES = '[data-testid="undo"], .toast[data-state="open"]';

/** Controls of the page that a message lies on, each brought into view as the focus brings it. */
const coveredControls = (page: Page): Promise<string[]> =>
  page.evaluate((messages) => {
    const controls = [...document.querySelectorAll('a, button, input, select, textarea, summary')];
    return controls
      .filter((one) => one.checkVisibility({ visibilityProperty: true }))
      .filter((one) => one.closest(`.sr-only, .skip-link, ${messages}`) === null)
      .flatMap((one) => {
        one.scrollIntoView({ block: 'nearest' });
        const own = one.getBoundingClientRect();
        return [...document.querySelectorAll(messages)].flatMap((message) => {
          const box = message.getBoundingClientRect();
          const wide = Math.min(own.right, box.right) - Math.max(own.left, box.left);
          const high = Math.min(own.bottom, box.bottom) - Math.max(own.top, box.top);
          if (own.width < 2 || wide < 1 || high < 1) return [];
          return [`${one.localName} “${one.textContent?.trim().slice(0, 30)}” by ${high} px`];
        });
      });
  }, MESSAGES);

/** Of what decides, the part that a message lies on or that is out of sight, without scrolling. */
const hiddenDecisions = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    ['approve', 'reject'].filter((id) => {
      const { left, top, width, height } =
        document.getElementById(id)?.getBoundingClientRect() ?? new DOMRect();
      const ends = [top + 2, top + height - 2];
      return ends.some(
        (y) =>
          document.elementFromPoint(left + width / 2, y)?.closest(`#${id}`) === null ||
          document.elementFromPoint(left + width / 2, y) === null,
      );
    }),
  );

test('a message after a decision or an error covers no control, at any width @nightly', async ({
  context,
  baseURL,
}) => {
  const { clerk, application } = await storeTeam();
  const page = await signedInPage(context, clerk.cookie, baseURL);
  const undo = page.getByTestId('undo');
  const toast = page.locator('.toast[data-state="open"]');
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/admin/applications/${application.number}?tab=visa`);
    await scriptsRun(page);
    await page.locator('#start').click();
    await expect(undo).toBeVisible();
    if (width >= 900) expect(await hiddenDecisions(page), `undo at ${width}`).toEqual([]);
    expect(await coveredControls(page), `undo at ${width}`).toEqual([]);
    await undo.getByRole('button').click();
    await expect(undo).toHaveCount(0);

    await page.locator('#document').setInputFiles({
      name: 'evisa.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('no PDF'),
    });
    await expect(toast).toBeVisible();
    if (width >= 900) expect(await hiddenDecisions(page), `toast at ${width}`).toEqual([]);
    expect(await coveredControls(page), `toast at ${width}`).toEqual([]);
  }
});

test('a list that was saved as a view begins above the fold, and the labels of its filter stand in one line @nightly', async ({
  context,
  baseURL,
}) => {
  const { clerk } = await storeTeam();
  const page = await signedInPage(context, clerk.cookie, baseURL);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/admin?show=hand_in&status=pending&payment=paid');
  const filters = page.getByTestId('filters');
  const boxes = await filters.locator('label').evaluateAll((labels) =>
    labels.map((label) => {
      const text = label.querySelector('span') ?? label;
      const around = label.querySelector('.control') ? label : label.parentElement;
      const below = around?.querySelector('.control')?.getBoundingClientRect().top ?? 0;
      const { top, height } = text.getBoundingClientRect();
      return [below - top, height, getComputedStyle(text).fontWeight].join(' ');
    }),
  );
  expect(boxes.length).toBeGreaterThan(6);
  expect(new Set(boxes).size, boxes.join(', ')).toBe(1);

  await page.locator('summary').filter({ hasText: 'Save or change views' }).click();
  await page.getByLabel('Name of this view').fill('Mine to do');
  await page.getByRole('button', { name: 'Save this view' }).click();
  await expect(page.getByRole('link', { name: 'Mine to do' })).toBeVisible();
  const bottom = async () => {
    const box = await page.getByTestId('queue-row').first().boundingBox();
    return box ? box.y + box.height : Infinity;
  };
  await expect.poll(bottom).toBeLessThan(800);
  await page.goto('/admin');
  await page.getByRole('link', { name: 'Mine to do' }).click();
  await expect(page.locator('a[aria-current="page"]', { hasText: 'Mine to do' })).toBeVisible();
  await expect.poll(bottom).toBeLessThan(800);
});

test('the links of an administrator stand in one row, and the rarer ones open without scripts @nightly', async ({
  browser,
  baseURL,
}) => {
  const cookie = await storeAdministrator();
  for (const language of ['en', 'de', 'tr', 'ar']) {
    const context = await browser.newContext({ javaScriptEnabled: language !== 'en' });
    const page = await signedInPage(context, cookie, baseURL);
    for (const width of [900, 1000, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`/${language}/admin/audit`);
      const links = page.locator('.desk > header nav > *:visible');
      const tops = await links.evaluateAll((all) =>
        all.map((one) => Math.round(one.getBoundingClientRect().top)),
      );
      expect(tops.length).toBeGreaterThan(5);
      expect(new Set(tops).size, `${language} at ${width}`).toBe(1);
    }
    // The current page is one of the rarer ones.
    const more = page.locator('.desk > header nav button');
    await more.click();
    const current = page.locator('.desk > header nav a[aria-current="page"]:visible');
    await expect(current).toHaveAttribute('href', /\/admin\/audit$/);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`/${language}/admin`);
    await page.locator('button[popovertarget="desk-pages"]').click();
    await expect(page.locator('.desk > header nav a:visible')).toHaveCount(14);
    await context.close();
  }
});
