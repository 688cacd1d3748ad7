import { readFileSync } from 'node:fs';
import { buyByCalls, southAfrican } from './apply.ts';
import { evisaOf } from './desk-seed.ts';
import { awaitMail, expect, expectAccessible, fillDate, signIn, test } from './lale.ts';

test('a reviewer approves with a PDF; the traveller is told, looks it up and downloads it', async ({
  page,
}) => {
  const traveller = southAfrican();
  const number = await buyByCalls(page, traveller);
  const pdf = evisaOf(traveller, number);

  await page.setViewportSize({ width: 1280, height: 900 });
  await signIn(page);
  await expectAccessible(page);
  await page.goto(`/admin/applications/${number}`);
  await expect(page.getByText(traveller.email).first()).toBeVisible();
  await expectAccessible(page);
  await page.locator('input[type="file"]').setInputFiles({
    name: 'evisa.pdf',
    mimeType: 'application/pdf',
    buffer: pdf,
  });
  await expect(page.getByText('It matches the application')).toBeVisible();
  await page.getByRole('button', { name: 'Approve…' }).click();
  await expect(page.frameLocator('iframe').first().getByText('up to 30 days')).toBeVisible();
  await expect(page.getByText('In the PDF', { exact: true })).toHaveCount(4);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Approve and send email' }).click();
  await expect(page.getByTestId('status').first()).toHaveText('Approved');
  await expect(page.getByRole('button', { name: /^(Approve|Reject)(…| and)/ })).toHaveCount(0);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/status?ref=${number}`);
  await expect(page.getByTestId('status')).toHaveText('Approved');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Download e-visa' }).click();
  await fillDate(page, 'dateOfBirth', { day: '3', month: '5', year: '1984' });
  await page.getByRole('button', { name: 'Download e-visa' }).click();
  await expect(page.locator('.error-summary')).toBeVisible();
  await expectAccessible(page);
  await fillDate(page, 'dateOfBirth', { day: '2', month: '5', year: '1984' });
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download e-visa' }).click();
  const download = await downloading;
  await expect(page.locator('.error-summary')).toHaveCount(0);
  expect(download.suggestedFilename()).toBe(`evisa-${number}.pdf`);
  expect(readFileSync(await download.path())).toEqual(pdf);

  const mail = await awaitMail(traveller.email, /approved/i);
  const link = /https?:\/\/\S*\/download\?token=[^\s"]+/.exec(mail.text ?? '')?.[0] ?? '';
  const again = page.waitForEvent('download');
  await page.goto(link).catch(() => undefined);
  const button = page
    .getByRole('button', { name: /Download/ })
    .or(page.getByRole('link', { name: /Download/ }));
  if (
    await button
      .first()
      .isVisible()
      .catch(() => false)
  )
    await button.first().click();
  expect(readFileSync(await (await again).path())).toEqual(pdf);
});
