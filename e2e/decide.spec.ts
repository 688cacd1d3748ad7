import { readFileSync } from 'node:fs';
import { buyByCalls, southAfrican } from './apply.ts';
import { storeVisas } from './desk-seed.ts';
import { dropPdf, evisaOf } from './evisa.ts';
import {
  awaitMail,
  expect,
  expectAccessible,
  fillDate,
  newPassport,
  scriptsRun,
  signedInPage,
  signIn,
  test,
} from './lale.ts';

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

test('the e-visa of another traveller is told from the right one in the panel, before anything is sent @nightly', async ({
  context,
  baseURL,
}) => {
  const [anna, bela] = [
    { firstName: 'Anna', lastName: 'Novak', passportNumber: newPassport('P') },
    { firstName: 'Bela', lastName: 'Horvat', passportNumber: newPassport('P') },
  ];
  const { numbers, cookie } = await storeVisas([anna]);
  const [number = ''] = numbers;
  const page = await signedInPage(context, cookie, baseURL);
  await page.goto(`/admin/applications/${number}`);
  await scriptsRun(page);
  const chooser = page.locator('input[type="file"]');
  const marks = page.getByTestId('file-marks');
  const wrong = [
    'It may belong to someone else.',
    'Passport number: Not found in the PDF',
    'Last name: Not found in the PDF',
    'First name: Not found in the PDF',
    // Both were born on the same day.
    'Date of birth: In the PDF',
  ];
  const expectWrong = async () => {
    for (const said of wrong) await expect(marks).toContainText(said);
    await expect(marks).not.toContainText('It matches the application');
    await expect(chooser).toBeHidden();
    await expect(page.getByText('You can attach it later')).toHaveCount(0);
    await expectAccessible(page);
  };

  await chooser.setInputFiles({
    name: 'evisa.pdf',
    mimeType: 'application/pdf',
    buffer: evisaOf(bela, number),
  });
  await expectWrong();
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(marks).toHaveCount(0);

  await dropPdf(page, 'main', evisaOf(bela, number));
  await expectWrong();
  await page.getByRole('button', { name: 'Remove' }).click();

  await dropPdf(page, 'main', evisaOf(anna, number));
  await expect(marks).toContainText('It matches the application');
  await expect(marks.getByText('Not found in the PDF')).toHaveCount(0);
});

test('a reviewer rejects with a reason, which the traveller reads @nightly', async ({ page }) => {
  const traveller = southAfrican();
  const number = await buyByCalls(page, traveller);

  await page.setViewportSize({ width: 1280, height: 900 });
  await signIn(page);
  await page.goto(`/admin/applications/${number}`);
  await page.getByRole('link', { name: 'Reject…' }).click();
  await expectAccessible(page);
  await page.locator('[name="reasonCode"]').selectOption('details_differ');
  await page.locator('[name="reason"]').fill('The passport page is not readable.');
  await page.getByRole('button', { name: 'Preview the email' }).click();
  await page.getByRole('button', { name: 'Reject and send email' }).click();
  await expect(page.getByTestId('status').first()).toHaveText('Rejected');

  await page.goto(`/status?ref=${number}`);
  await expect(page.getByTestId('status')).toHaveText('Rejected');
  await expect(page.getByText('The passport page is not readable.')).toBeVisible();
  await expectAccessible(page);
  const mail = await awaitMail(traveller.email, /About your application/);
  expect(mail.text).toContain('The passport page is not readable.');
  expect(mail.text).toContain('Some details in the application are different from the passport.');
});
