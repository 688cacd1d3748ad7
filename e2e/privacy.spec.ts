import { readFileSync } from 'node:fs';
import { strFromU8, unzipSync } from 'fflate';
import { seedDesk } from './desk-seed.ts';
import {
  addSession,
  day,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  fillDate,
  scriptsRun,
  tabTo,
  test,
  typeInto,
  type Page,
} from './lale.ts';

// The counts stand beside the names of pages, which a phone folds into a menu.
test.use({ viewport: { width: 1280, height: 900 } });

let stored: ReturnType<typeof seedDesk> | undefined;

/** Signs in as an administrator; the application is approved, with its PDF. */
async function atDesk(page: Page, baseURL: string | undefined) {
  const { staff, numbers } = await (stored ??= seedDesk({ daysLater: 60 }));
  await addSession(page.context(), staff.administrator.cookie, baseURL);
  return numbers.approved;
}

/** Records a request of the person of an application, found by its number. */
async function record(page: Page, kind: 'access' | 'erasure', number: string): Promise<void> {
  await page.goto('/en/admin/privacy');
  for (const [control, value] of [
    ['kind', kind],
    ['law', 'kvkk'],
    ['arrival', 'email'],
  ] as const) {
    await page.locator(`[name="${control}"][value="${value}"]`).check();
  }
  await fillDate(page, 'arrivedOn', day(-25));
  await page.locator('[name="number"]').fill(number);
  await page.getByRole('button', { name: 'Record the request' }).click();
  await expect(page.getByText('The request was recorded')).toBeVisible();
}

async function checkIdentity(page: Page): Promise<void> {
  await page.locator('[name="check"][value="email_reply"]').check();
  for (const box of await page.locator('[name="own"]').all()) await box.check();
  await page.getByRole('button', { name: 'Record the identity check' }).click();
  await expect(page.getByText('The identity check was recorded')).toBeVisible();
}

test('a request for access is recorded, identity checked and everything handed out; an erasure waits for a hold and leaves a proof @nightly', async ({
  page,
  baseURL,
}) => {
  test.slow();
  const { number, orderNumber, email, lastName } = await atDesk(page, baseURL);
  await record(page, 'access', number);
  // Five days are left: the request is counted beside the page's name.
  await expect(page.getByTitle(/privacy requests? to answer soon/).first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Download the copy (ZIP)' })).toHaveCount(0);
  await expectAccessible(page);
  await checkIdentity(page);
  await expectAccessible(page);
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page);
  }

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download the copy (ZIP)' }).click();
  const files = unzipSync(new Uint8Array(readFileSync(await (await download).path())));
  const json: unknown = JSON.parse(strFromU8(files['data.json'] ?? new Uint8Array()));
  expect(json).toMatchObject({
    tables: {
      application: [{ number, email, lastName }],
      purchase_order: [{ customerEmail: email }],
      order_receipt: [expect.objectContaining({ kind: 'receipt' })],
    },
  });
  expect(Object.keys(files).filter((name) => name.startsWith('files/'))).toHaveLength(1);

  // A hold keeps everything until it is lifted.
  await page.goto('/en/admin/privacy/holds');
  await page.locator('[name="number"]').fill(number);
  await fillDate(page, 'until', day(400));
  await page.locator('[name="why"]').fill('A claim');
  await page.getByRole('button', { name: 'Place the hold' }).click();
  await expect(page.getByText('The hold was placed')).toBeVisible();
  await record(page, 'erasure', number);
  const request = page.url().replace(/\?.*/, '');
  await checkIdentity(page);
  await expect(page.getByText('The erasure has to wait')).toBeVisible();
  await expect(page.getByText(/A legal hold stands on/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Erase the data' })).toHaveCount(0);
  await expectAccessible(page);
  await page.goto('/en/admin/privacy/holds');
  await expectAccessible(page);
  await page
    .getByRole('listitem')
    .filter({ hasText: 'A claim' })
    .getByRole('button', { name: /^Lift the hold/ })
    .click();
  await expect(page.getByText('The hold was lifted')).toBeVisible();

  // The rest by keyboard alone.
  await page.goto(request);
  await scriptsRun(page);
  await expect(page.getByText(/the law obliges us to keep accounts/)).toBeVisible();
  // The trip is still to come.
  for (const tick of ['confirmTrip', 'confirm']) {
    await tabTo(page, `[name="${tick}"]`);
    await page.keyboard.press('Space');
  }
  await tabTo(page, 'button[value="erase"]');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The data was erased')).toBeVisible();
  // Files are removed by a job.
  await expect(async () => {
    await page.reload();
    await expect(page.getByText(/^Checked just now: nothing is found/)).toBeVisible();
  }).toPass({ timeout: 30_000 });
  await expect(page.getByText(/^Erased by D\. Yılmaz/)).toBeVisible();
  await expect(page.getByText(/^Applications: 1/)).toBeVisible();
  await expectAccessible(page);
  await scriptsRun(page);
  await tabTo(page, '[name="outcome"][value="granted"], [name="outcome"]');
  await page.keyboard.press('Space');
  await typeInto(page, 'answer', 'Your data is erased, but for what the law has us keep.');
  await tabTo(page, 'button[value="close"]');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The request was closed')).toBeVisible();
  // The proof stays with the closed request and among what was deleted.
  await expect(page.getByText(/^Checked just now: nothing is found/)).toBeVisible();
  await page.goto('/en/admin/privacy/retention');
  await expect(
    page
      .getByRole('row')
      .filter({ hasText: /erasure/i })
      .first(),
  ).toContainText('1');
  await expectAccessible(page);

  // The books keep the money and the receipt, without the address.
  await page.goto(`/en/admin/orders/${orderNumber}`);
  await expect(page.locator('main')).toContainText('$');
  await expect(page.locator('main')).not.toContainText(email);
});
