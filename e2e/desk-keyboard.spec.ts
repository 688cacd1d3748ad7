import { Secret, TOTP } from 'otpauth';
import { buyByCalls, southAfrican } from './apply.ts';
import { evisaPdf } from './desk-seed.ts';
import {
  awaitMail,
  expect,
  expectAccessible,
  newEmail,
  signIn,
  tabTo,
  test,
  typeInto,
  type Page,
} from './lale.ts';

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
