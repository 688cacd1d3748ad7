import { Secret, TOTP } from 'otpauth';
import { buyByCalls, southAfrican } from './apply.ts';
import { evisaOf } from './evisa.ts';
import { awaitMail, expect, newEmail, signIn, test, type Page } from './lale.ts';

const PASSWORD = 'seven quiet lanterns';

/** At the speed that no other journey buys: what the desk calls most urgent is ours. */
const buy = (page: Page): Promise<string> =>
  buyByCalls(page, southAfrican(), { processingType: 'urgent', totalAmount: '364.00' });

/** The link by which an administrator invites a reviewer of their own name. */
async function invite(page: Page): Promise<{ email: string; link: string }> {
  const email = newEmail('reviewer').replace('traveller', 'office');
  await signIn(page);
  await page.goto('/admin/accounts');
  await page.locator('[name="name"]').fill('Deniz Kaya');
  await page.locator('[name="email"]').fill(email);
  await page.locator('button[value="invite"]').click();
  const mail = await awaitMail(email, /Your invitation/);
  const link = /https?:\/\/[^/]+(\/\w+\/admin\/invitation\/[\w-]+)/.exec(mail.text ?? '')?.[1];
  if (!link) throw new Error('The e-mail has no link');
  return { email, link };
}

/** Moves on with the tab key until this has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    if (await page.evaluate((one) => document.activeElement?.matches(one), selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The tab key does not lead to ${selector}`);
}

async function type(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, `[name="${name}"]`);
  await page.keyboard.type(text);
}

/** The keys work once the page's scripts do. */
const ready = (page: Page) =>
  expect(page.getByText('turn shortcuts off', { exact: false })).toBeVisible();

test('a first day at the desk by keyboard alone: from the invitation to decisions', async ({
  page,
  browser,
}) => {
  test.slow();
  const numbers = [await buy(page), await buy(page)];
  const office = await browser.newContext();
  const { email, link } = await invite(await office.newPage());
  await office.close();
  const keys = page.keyboard;
  await page.setViewportSize({ width: 1280, height: 900 });

  await page.goto(link);
  await type(page, 'password', PASSWORD);
  await keys.press('Enter');
  await page.waitForURL('**/admin/second-factor');
  const secret = (await page.getByTestId('totp-secret').textContent()) ?? '';
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  await type(page, 'code', totp.generate());
  await keys.press('Enter');
  await expect(page.getByText('Your recovery codes')).toBeVisible();
  const [recovery = ''] = /[0-9A-Z]{5}-[0-9A-Z]{5}/.exec(await page.innerText('main')) ?? [];

  await tabTo(page, 'form[action$="/admin/sign-out"] button');
  await keys.press('Enter');
  await type(page, 'email', email);
  await type(page, 'password', PASSWORD);
  await keys.press('Enter');
  await expect(page.locator('[name="code"]')).toBeVisible();
  // The app's next code is half a minute away: this is the day the telephone was left at home.
  await type(page, 'code', recovery);
  await keys.press('Enter');
  await ready(page);

  await keys.press('?');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(list).toContainText('take the most urgent application that is free');
  await keys.press('Escape');
  await expect(list).toBeHidden();

  await keys.press('/');
  await keys.type('Quebec');
  await keys.press('Enter');
  await page.waitForURL('**search=**');
  await ready(page);
  // What is typed after the key takes the place of the last search. A part of a number lists what has it.
  await keys.press('/');
  await keys.type(numbers[0]?.slice(0, 12) ?? '');
  await keys.press('Enter');
  await expect(page.getByTestId('queue-row')).toHaveCount(1);
  await ready(page);
  await keys.press('j');
  await expect(page.locator('.queue-link').first()).toBeFocused();
  // The browser has to know early that somebody waits: a press that comes first opens a window that nobody answers.
  const choosing = page.waitForEvent('filechooser');
  await keys.press('Enter');
  await page.waitForURL(`**/admin/applications/${numbers[0]}**`);
  await tabTo(page, 'button[name="intent"][value="start"]');
  await keys.press('Enter');
  await expect(page.getByTestId('status').first()).toHaveText('Processing');
  await tabTo(page, '#document');
  await keys.press('Enter');
  const chooser = await choosing;
  await chooser.setFiles({
    name: 'evisa.pdf',
    mimeType: 'application/pdf',
    buffer: evisaOf(southAfrican(), numbers[0] ?? ''),
  });
  await expect(page.getByText('Checked and ready')).toBeVisible();
  await keys.press('a');
  await expect(page.getByRole('button', { name: 'Approve and send email' })).toBeFocused();
  await keys.press('Enter');
  await expect(page.getByTestId('status').first()).toHaveText('Approved');

  await ready(page);
  // A whole number opens its case.
  await keys.press('/');
  await keys.type(numbers[1] ?? '');
  await keys.press('Enter');
  await page.waitForURL(`**/admin/applications/${numbers[1]}**`);
  await page.goBack();
  // The key passes over the case that stands open: until the page before is back, that is the second one.
  await expect(page.locator('[name="not"]')).toHaveValue(numbers[0] ?? '');
  await keys.press('n');
  await page.waitForURL(`**/admin/applications/${numbers[1]}**`);
  await expect(page.locator('#reject')).toBeVisible();
  await keys.press('r');
  await expect(page.locator('#reject-dialog')).toBeVisible();
  await type(page, 'reasonCode', 'There is another');
  await tabTo(page, 'button[form="reject-form"]');
  await keys.press('Enter');
  await expect(page.frameLocator('iframe').getByText('There is another application')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Reject and send email' })).toBeFocused();
  await keys.press('Enter');
  await expect(page.getByTestId('status').first()).toHaveText('Rejected');
  await expect(page.getByRole('button', { name: /^(Approve|Reject)(…| and)/ })).toHaveCount(0);
});
