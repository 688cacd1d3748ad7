import { Secret, TOTP } from 'otpauth';
import { storeAdministrator, storeTeam, evisaPdf } from './desk-seed.ts';
import {
  expect,
  expectAccessible,
  scriptsRun,
  signedInPage,
  test,
  type Page,
  awaitMail,
  newEmail,
  signIn,
  tabTo,
  typeInto,
} from './lale.ts';
import { buyByCalls, southAfrican } from './apply.ts';

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

const REFERENCE = 'TR-2026/77';

/** Copies all answers of the open application from its copy sheet and hands it in, by few keys that type none of them. */
async function handIn(page: Page): Promise<void> {
  let presses = 0;
  const press = async (key: string) => {
    presses += 1;
    await page.keyboard.press(key);
  };
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.locator('#application-name').focus();
  await press('f');
  const fields = page.locator('ol input');
  await expect(fields.first()).toBeFocused();
  await expectAccessible(page);
  for (const field of await fields.all()) {
    await expect(field).toBeFocused();
    await press('Enter');
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe(await field.inputValue());
  }
  await expect(page.locator('ol').getByText('Copied')).toHaveCount(await fields.count());
  await expect(page.locator('[name="authorityReference"]')).toBeFocused();
  for (const key of REFERENCE) await press(key);
  await press('Enter');
  // Nothing else stands in the list.
  await page.waitForURL('**/admin?**');
  expect(presses).toBeLessThanOrEqual(40);
}

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

const PASSWORD = 'seven quiet lanterns';

/** At a speed that no other journey buys, so that it is the most urgent. */
const buy = (page: Page, traveller = southAfrican()): Promise<string> =>
  buyByCalls(page, traveller, { processingType: 'urgent', totalAmount: '364.00' });

/** An administrator's invitation link for a reviewer; a first invitation went to a wrong address and is withdrawn. */
async function invite(page: Page): Promise<{ email: string; link: string }> {
  const email = newEmail('reviewer').replace('traveller', 'office');
  const wrong = email.replace('office', 'offices');
  const [name, address] = [page.locator('[name="name"]'), page.locator('[name="email"]')];
  await signIn(page);
  await page.goto('/admin/accounts');
  await name.fill('Deniz Kaya');
  await address.fill(wrong);
  await page.locator('button[value="invite"]').click();
  const sent = page.getByRole('listitem').filter({ hasText: wrong });
  await expect(name).toHaveValue('');
  // What is half typed by then stays where the page answers another form.
  await name.fill('Deniz Kaya');
  await sent.getByRole('button').click();
  await expect(sent).toHaveCount(0);
  await expect(name).toHaveValue('Deniz Kaya');
  await address.fill(email);
  await page.locator('button[value="invite"]').click();
  const mail = await awaitMail(email, /Your invitation/);
  const link = /https?:\/\/[^/]+(\/\w+\/admin\/invitation\/[\w-]+)/.exec(mail.text ?? '')?.[1];
  if (!link) throw new Error('The e-mail has no link');
  return { email, link };
}

/** Shortcuts work once the page's scripts run. */
const ready = (page: Page) =>
  expect(page.getByText('turn shortcuts off', { exact: false })).toBeVisible();

test('a first day at the desk by keyboard alone: from the invitation to decisions', async ({
  page,
  browser,
}) => {
  test.slow();
  const traveller = southAfrican();
  const numbers = [await buy(page, traveller), await buy(page)];
  const office = await browser.newContext();
  const { email, link } = await invite(await office.newPage());
  await office.close();
  const keys = page.keyboard;
  await page.setViewportSize({ width: 1280, height: 900 });

  await page.goto(link);
  await typeInto(page, 'password', PASSWORD);
  await keys.press('Enter');
  await page.waitForURL('**/admin/second-factor');
  const secret = (await page.getByTestId('totp-secret').textContent()) ?? '';
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  await typeInto(page, 'code', totp.generate());
  await keys.press('Enter');
  await expect(page.getByText('Your recovery codes')).toBeVisible();
  const [recovery = ''] = /[0-9A-Z]{5}-[0-9A-Z]{5}/.exec(await page.innerText('main')) ?? [];

  await tabTo(page, 'form[action$="/admin/sign-out"] button');
  await keys.press('Enter');
  await typeInto(page, 'email', email);
  await typeInto(page, 'password', PASSWORD);
  await keys.press('Enter');
  await expect(page.locator('[name="code"]')).toBeVisible();
  // The app's next code would take half a minute, so a recovery code is used.
  await typeInto(page, 'code', recovery);
  await keys.press('Enter');
  await ready(page);

  await keys.press('?');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(list).toContainText('take the next free application in this list');
  await keys.press('Escape');
  await expect(list).toBeHidden();

  await keys.press('/');
  await keys.type('Quebec');
  await keys.press('Enter');
  await page.waitForURL('**search=**');
  await ready(page);
  // Typing after the shortcut replaces the last search. Part of a number lists its matches.
  await keys.press('/');
  await keys.type(numbers[0]?.slice(0, 12) ?? '');
  await keys.press('Enter');
  await expect(page.getByTestId('queue-row')).toHaveCount(1);
  await ready(page);
  await keys.press('j');
  await expect(page.locator('.queue-link').first()).toBeFocused();
  // Waited for first, because otherwise nothing handles the window.
  const choosing = page.waitForEvent('filechooser');
  await keys.press('Enter');
  await page.waitForURL(`**/admin/applications/${numbers[0]}**`);
  // The address changes before the application is shown.
  await expect(page.locator('#correction')).toBeAttached();
  await keys.press('c');
  await expect(page.locator('#correction input[type="checkbox"]').first()).toBeFocused();
  // Shortcuts work from a checkbox; a letter moves the focus alone.
  await keys.press('s');
  await expect(page.locator('[form="hand-in"]')).toBeFocused();
  await expect(page.getByTestId('status').first()).toHaveText('Pending');
  await handIn(page);
  await ready(page);
  await keys.press('j');
  await keys.press('Enter');
  await expect(page.getByTestId('status').first()).toHaveText('Processing');
  await expect(page.locator('#application').getByText(REFERENCE)).toBeVisible();
  await tabTo(page, '#document');
  await keys.press('Enter');
  const chooser = await choosing;
  await chooser.setFiles({
    name: 'evisa.pdf',
    mimeType: 'application/pdf',
    buffer: evisaPdf(traveller, numbers[0] ?? ''),
  });
  // No letter sends, nor does a space or Return of somebody who types on.
  const send = 'form:has(#send-next) button:not([name])';
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  for (const key of ['n', 'a', 'Space', 'Enter']) await keys.press(key);
  await expect(page.getByRole('button', { name: 'Approve and send email' })).toBeEnabled();
  await tabTo(page, send);
  await keys.press('Enter');
  await expect(page.getByTestId('status').first()).toHaveText('Approved');

  await ready(page);
  // A complete number opens its application.
  await keys.press('/');
  await keys.type(numbers[1] ?? '');
  await keys.press('Enter');
  await page.waitForURL(`**/admin/applications/${numbers[1]}**`);
  await expect(page.locator('#reject')).toBeVisible();
  await keys.press('r');
  await expect(page.locator('#reject-dialog')).toBeVisible();
  await typeInto(page, 'reasonCode', 'There is another');
  await tabTo(page, 'button[form="reject-form"]');
  await keys.press('Enter');
  await expect(page.frameLocator('iframe').getByText('There is another application')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await tabTo(page, send);
  await keys.press('Enter');
  await expect(page.getByTestId('status').first()).toHaveText('Rejected');
  await expect(page.getByRole('button', { name: /^(Approve|Reject)(…| and)/ })).toHaveCount(0);
});
