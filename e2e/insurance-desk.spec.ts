import { readFileSync } from 'node:fs';
import { payByCard } from './apply.ts';
import {
  child,
  fillInsured,
  fillTrip,
  insuranceNumber,
  photo,
  pressPay,
  type Insured,
} from './insure.ts';
import {
  awaitMail,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  fillDate,
  signIn,
  test,
  type Page,
} from './lale.ts';

/** Buys for a child, with the IDs of both parents. */
async function buyForChild(page: Page): Promise<Insured & { number: string }> {
  const insured = child();
  await page.goto('/insurance');
  await fillTrip(page);
  await fillInsured(page, insured);
  const files = [await photo('mother.jpg', '#8ab'), await photo('father.jpg', '#ba8')];
  await page.locator('[name="parentIdPhotos"]').setInputFiles(files);
  await pressPay(page);
  await payByCard(page);
  await page.waitForURL('**/payment-success**');
  await expect(
    page.getByText('One of our team is checking your application').first(),
  ).toBeVisible();
  await expect(page.getByText('Travel insurance, 14 days').first()).toBeVisible();
  await expectAccessible(page);
  return { ...insured, number: await insuranceNumber(page) };
}

async function openAtDesk(page: Page, number: string): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 900 });
  await signIn(page);
  await page.goto(`/admin/applications/${number}?tab=insurance`);
  await expect(page.getByRole('link', { name: /^Open photo/ })).toHaveCount(2);
}

test('a minor: staff look at the photos and approve, the certificate is downloaded @nightly', async ({
  page,
}) => {
  const bought = await buyForChild(page);
  await page.goto(`/status?ref=${bought.number}`);
  await expect(page.getByTestId('status')).toHaveText('Pending');
  await expect(
    page.getByText('One of our team will check your application first').first(),
  ).toBeVisible();

  await openAtDesk(page, bought.number);
  await expectAccessible(page);
  await expect(page.getByText('mother.jpg')).toBeVisible();
  await expect(page.getByText(bought.passportNumber)).toHaveCount(0);
  await page.getByRole('button', { name: /^Show the document numbers/ }).click();
  await expect(page.getByText(bought.passportNumber)).toBeVisible();
  const address = await page.getByRole('link', { name: 'Open photo 2' }).getAttribute('href');
  const opened = await page.request.get(address ?? '');
  expect(opened.headers()).toMatchObject({
    'content-type': 'image/jpeg',
    'cache-control': 'no-store',
  });
  await page.getByRole('button', { name: 'Approve…' }).click();
  await page.getByRole('button', { name: 'Approve and send email' }).click();
  await expect(page.getByTestId('status').first()).toHaveText('Approved');

  await awaitMail(bought.email, /insurance is approved/);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/status?ref=${bought.number}`);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('link', { name: 'Download certificate' }).click();
  await fillDate(page, 'dateOfBirth', { day: '14', month: '7', year: bought.year });
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download certificate' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe(`insurance-${bought.number}.pdf`);
  expect(
    readFileSync(await download.path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');

  await page.context().clearCookies();
  const stranger = await page.request.get(address ?? '', { maxRedirects: 0 });
  expect(stranger.headers()['content-type'] ?? '').not.toContain('image');
});

test('a rejection cancels the insurance, and the traveller reads why @nightly', async ({
  page,
}) => {
  const bought = await buyForChild(page);
  await openAtDesk(page, bought.number);
  await page.getByRole('link', { name: 'Reject…' }).click();
  await expect(page.getByText('the insurance will be cancelled')).toBeVisible();
  await page.locator('[name="reason"]').fill('The ID is not readable.');
  await page.getByRole('button', { name: 'Preview the email' }).click();
  await page.getByRole('button', { name: 'Reject and send email' }).click();
  await expect(page.getByTestId('status').first()).toHaveText('Rejected');
  await expect(page.getByText('Cancelled').first()).toBeVisible();

  await page.goto(`/status?ref=${bought.number}`);
  await expect(page.getByTestId('status')).toHaveText('Rejected');
  await expect(page.getByText('The ID is not readable.')).toBeVisible();
  await expect(page.getByText('Download certificate')).toHaveCount(0);
  await awaitMail(bought.email, /About your application/);
});
