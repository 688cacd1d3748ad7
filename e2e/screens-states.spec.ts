import {
  chooseNationality,
  fillDetails,
  fillSupportingVisa,
  indian,
  next,
  payByCard,
  southAfrican,
  choose,
  walkToReview,
} from './apply.ts';
import { evisaOf } from './evisa.ts';
import { adult, child, fillInsured, fillTrip, photo, pressNext, pressPay } from './insure.ts';
import { awaitMail, day, fillDate, newEmail, signIn, test, type Page } from './lale.ts';
import { PHONE, take } from './pictures.ts';

/** Pictures of pages in their states; the pages themselves are in `screens.spec.ts`. */

const submit = (page: Page) =>
  page.locator('main form button[type="submit"]:not([name="provider"])').last().click();
/** The first button of the form with this control. */
const send = (page: Page, control: string) =>
  page.locator(`main form:has([name="${control}"]) button`).first().click();

async function settle(page: Page) {
  await page.waitForLoadState('networkidle');
}

async function paid(page: Page, card?: string): Promise<string> {
  await payByCard(page, card);
  await page.waitForURL('**/payment-success**');
  const shown = await page.getByTestId('application-number').first().textContent();
  return (shown ?? '').replace(/\s/g, '');
}

const arrival = (days: number) => {
  const date = day(days);
  return `arrivalDate-day=${date.day}&arrivalDate-month=${date.month}&arrivalDate-year=${date.year}`;
};

// Some need three purchases.
test.setTimeout(300_000);

test('@screens of the home page’s answers', async ({ page }) => {
  for (const [name, query] of Object.entries({
    'visa-free': `countryId=DEU&documentType=ordinary&${arrival(60)}`,
    'e-visa': `countryId=ZAF&documentType=ordinary&${arrival(60)}`,
    'with-document': `countryId=IND&documentType=ordinary&${arrival(60)}`,
    none: `countryId=CUB&documentType=ordinary`,
    'other-document': `countryId=ZAF&documentType=diplomatic`,
    'too-late': `countryId=ZAF&documentType=ordinary&${arrival(0)}`,
    mistake:
      'countryId=&documentType=ordinary&arrivalDate-day=31&arrivalDate-month=2&arrivalDate-year=2027',
  })) {
    await page.goto(`/en?${query}`);
    await take(page, `home-answer-${name}`, { from: '#check', widths: PHONE });
  }
});

test('@screens of mistakes in the wizard', async ({ page }) => {
  await page.goto('/en/application');
  await next(page);
  await page.locator('.error-summary').waitFor();
  await take(page, 'mistake-nationality', { widths: PHONE });
  for (const [name, country] of Object.entries({ 'visa-free': 'DEU', 'with-document': 'IND' })) {
    await chooseNationality(page, country);
    await settle(page);
    await take(page, `nationality-${name}`, { widths: PHONE });
  }
  await chooseNationality(page, 'CUB');
  await next(page);
  await page.getByRole('dialog').waitFor();
  await take(page, 'nationality-none', { widths: PHONE });
  await page.goto('/en/application');
  await chooseNationality(page, 'IND');
  await next(page);
  await page.waitForURL('**/supporting-document');
  await next(page);
  await page.locator('.error-summary').waitFor();
  await choose(page, 'hasSupportingDocument', 'yes');
  await choose(page, 'supportingDocumentType', 'visa');
  await next(page);
  await settle(page);
  await take(page, 'mistake-supporting-visa', { widths: PHONE });
  await choose(page, 'supportingDocumentType', 'residence');
  await next(page);
  await settle(page);
  await take(page, 'mistake-supporting-residence', { widths: PHONE });
  await fillSupportingVisa(page, { country: 'SCHENGEN', number: 'D12345678' });
  await take(page, 'supporting-document-filled', { widths: PHONE });
  await next(page);
  await page.waitForURL('**/arrival');
  await fillDate(page, 'arrivalDate', day(3));
  await settle(page);
  await take(page, 'arrival-soon', { widths: PHONE });
  await fillDate(page, 'arrivalDate', { day: '31', month: '2', year: '2027' });
  await next(page);
  await page.locator('.error-summary').waitFor();
  await take(page, 'mistake-arrival', { widths: PHONE });
  await fillDate(page, 'arrivalDate', day(60));
  await next(page);
  await page.waitForURL('**/prerequisites');
  await next(page);
  await page.locator('.error-summary').waitFor();
  await take(page, 'mistake-prerequisites', { widths: PHONE });
  for (const box of await page.locator('main form input[type="checkbox"]').all()) {
    await box.check();
  }
  await next(page);
  await page.waitForURL('**/details');
  await next(page);
  await page.locator('.error-summary').waitFor();
  await take(page, 'mistake-details-empty', { widths: PHONE });
  await fillDetails(page, { ...indian(), firstName: 'Zoë', lastName: 'Müller-Ünlü' });
  await page.locator('[name="email"]').fill('meera@nowhere');
  await page.locator('[name="address"]').fill('12 Road');
  await fillDate(page, 'passportExpiryDate', day(-10));
  await next(page);
  await page.locator('.error-summary').waitFor();
  await take(page, 'mistake-details', { widths: PHONE });
});

test('@screens of an application kept for later', async ({ page }) => {
  const email = newEmail('later');
  await page.goto('/en/application');
  await chooseNationality(page, 'ZAF');
  await next(page);
  await page.waitForURL('**/what-it-allows');
  await choose(page, 'purpose', 'trade');
  await page.locator('.save-later summary').click();
  await take(page, 'save-for-later', { widths: PHONE });
  await page.locator('[name="saveEmail"]').fill(email);
  await page.locator('[name="saveEmail"]').press('Enter');
  await page.waitForURL('**/application/saved**');
  await take(page, 'saved', { widths: PHONE });
  const mail = await awaitMail(email, /./);
  const link = /https?:\/\/\S+\/application\/resume\/[\w-]+/.exec(mail.text ?? '')?.[0] ?? '';
  await page.goto(link);
  await take(page, 'resume', { widths: PHONE });
  await page.locator('main form button').first().click();
  await page.waitForURL('**/application/arrival');
  await page.goto(link);
  await take(page, 'resume-used', { widths: PHONE });
  await page.goto('/en/application/correct/x');
  await take(page, 'correction-expired', { widths: PHONE });
  for (const [name, path] of Object.entries({
    'document-expired': '/documents/x',
    'receipt-expired': '/receipt?token=x',
    'certificate-unknown': '/verify/x',
    'status-search': '/status',
    'status-empty': '/status?ref=',
    'status-mistyped': '/status?ref=TRV7K2M9QXD4HPBX',
    'status-unknown': '/status?ref=TRV1',
    'payment-error': '/payment-cancel?status=error',
    'payment-test': '/payment-success?test=true&payment=00&order=X1&transaction=T1',
    'handover-error': '/gpay-checkout',
  })) {
    await page.goto(`/en${path}`);
    await take(page, name, { widths: PHONE });
  }
});

test('@screens of buying insurance', async ({ page }) => {
  await page.goto('/en/insurance?country=DEU');
  await pressNext(page);
  await page.locator('.error-summary').waitFor();
  await take(page, 'mistake-insurance-empty', { widths: PHONE });
  await fillTrip(page);
  await fillInsured(page, { ...child(), email: 'diego@nowhere' });
  await pressNext(page);
  await settle(page);
  await take(page, 'mistake-insurance-child', { widths: PHONE });
  await page
    .locator('[name="parentIdPhotos"]')
    .setInputFiles([await photo('mother.jpg', '#8ab'), await photo('father.jpg', '#ba8')]);
  await page.locator('[name="email"]').fill('');
  await pressNext(page);
  await settle(page);
  await take(page, 'insurance-child-photos', { widths: PHONE });
  await page.locator('[name="email"]').fill(newEmail('diego'));
  await pressNext(page);
  await page.waitForURL('**/insurance/review');
  await take(page, 'insurance-review', { widths: PHONE });
  await page.locator('button[name="intent"][value="pay"]').click();
  await page.waitForURL('**/mock-gpay-payment**');
  const number = await paid(page);
  await take(page, 'insurance-child-success', { widths: PHONE });
  await page.goto(`/en/status?kind=insurance&ref=${number}`);
  await take(page, 'insurance-child-status', { widths: PHONE });
});

test('@screens of insurance without scripts', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL });
  const page = await context.newPage();
  const insured = adult();
  await page.goto('/en/insurance');
  await fillTrip(page);
  await page.locator('button[value="quote"]').click();
  await fillInsured(page, insured);
  await pressPay(page);
  await page.waitForURL('**/insurance/payment**');
  const settled = await browser.newContext({ baseURL });
  await settled.addCookies(await context.cookies());
  await page.locator('main form button').first().click();
  await page.waitForURL('**/gpay-checkout**');
  await page.locator('main form button').click();
  const number = await paid(page);
  const shown = await settled.newPage();
  await shown.goto(`/en/payment-success?order=${number}`);
  await take(shown, 'insurance-success', { widths: PHONE });
  await shown.waitForTimeout(3000);
  await shown.goto(`/en/status?kind=insurance&ref=${number}`);
  await take(shown, 'insurance-status', { widths: PHONE });
  await context.close();
  await settled.close();
});

test('@screens of a payment page that is away', async ({ page }) => {
  await page.goto('/en/insurance');
  await fillTrip(page);
  await fillInsured(page, {
    ...adult(),
    email: newEmail('no-payment-page'),
  });
  await pressPay(page);
  await page.waitForURL('**/insurance/payment**');
  await settle(page);
  await page.waitForTimeout(1500);
  await take(page, 'payment-issue', { widths: PHONE });
  await page.goto(`/en/insurance/change?ref=${new URL(page.url()).searchParams.get('ref')}`);
  await take(page, 'insurance-change', { widths: PHONE });
  await page.locator('main form button').first().click();
  await page.waitForURL(/\/insurance(\/review)?$/);
  await take(page, 'insurance-changing', { widths: PHONE });
});

test('@screens of what staff decide', async ({ page, browser, baseURL }) => {
  const buy = async () => {
    const traveller = southAfrican();
    await walkToReview(page, traveller, { prefix: '/en' });
    await submit(page);
    return { number: await paid(page), email: traveller.email, traveller };
  };
  const bought = { approved: await buy(), rejected: await buy(), corrected: await buy() };
  await walkToReview(page, southAfrican(), { prefix: '/en' });
  await submit(page);
  await page.waitForURL('**/mock-gpay-payment**');
  await page.goto('/en/application/review');
  await take(page, 'submitted-unpaid', { widths: PHONE });
  await page.locator(`main a[href*="/status?ref="]`).first().click();
  await page.waitForURL('**/status?ref=**');
  await take(page, 'status-unpaid', { widths: PHONE });
  const unpaid = new URL(page.url()).searchParams.get('ref');
  await page.goto(`/en/application/change?ref=${unpaid}`);
  await take(page, 'change', { widths: PHONE });
  await page.locator('main form button').first().click();
  await page.waitForURL('**/application/review');
  await take(page, 'changing', { widths: PHONE });
  await page.goto('/en/status/lost-number');
  await page.locator('main [name="email"]').fill(bought.approved.email);
  await page.locator('main [name="email"]').press('Enter');
  await settle(page);
  await take(page, 'lost-number-asked', { widths: PHONE });

  const staff = await browser.newContext({ baseURL, viewport: { width: 1280, height: 900 } });
  const desk = await staff.newPage();
  await desk.goto('/en');
  await signIn(desk);
  await desk.goto(`/en/admin/applications/${bought.approved.number}`);
  await desk.locator('input[type="file"]').setInputFiles({
    name: 'evisa.pdf',
    mimeType: 'application/pdf',
    buffer: evisaOf(bought.approved.traveller, bought.approved.number),
  });
  await desk.getByText('It matches the application').waitFor();
  await desk.getByRole('button', { name: 'Approve…' }).click();
  const approve = desk.getByRole('button', { name: 'Approve and send email' });
  await approve.waitFor();
  await take(desk, 'desk-decision-document');
  await approve.click();
  await desk.waitForURL('**done=**');
  await desk.goto(`/en/admin/applications/${bought.rejected.number}`);
  await desk.getByRole('link', { name: 'Reject…' }).click();
  await desk.locator('[name="reasonCode"]').selectOption('details_differ');
  await desk.locator('[name="reason"]').fill('The passport page is not readable.');
  await desk.getByRole('button', { name: 'Preview the email' }).click();
  await desk.getByRole('button', { name: 'Reject and send email' }).click();
  await desk.waitForURL('**done=**');
  await desk.goto(`/en/admin/applications/${bought.corrected.number}`);
  await desk.locator('details:has([name="note"]) > summary').click();
  for (const field of ['firstName', 'passportNumber', 'passportExpiryDate', 'address']) {
    await desk.locator(`[name="reopen-${field}"]`).check();
  }
  await desk.locator('[name="note"]').fill('The passport page says another first name.');
  await desk.locator('details:has([name="note"]) button').last().click();
  await desk.getByText('Waiting').first().waitFor();
  await staff.close();

  for (const [name, { number }] of Object.entries(bought)) {
    await page.goto(`/en/status?ref=${number}`);
    await take(page, `status-${name}`, name === 'approved' ? {} : { widths: PHONE });
  }
  await page.goto(`/en/status?ref=${bought.approved.number}&download=document`);
  await take(page, 'download-date', { widths: PHONE });
  await fillDate(page, 'dateOfBirth', { day: '3', month: '5', year: '1984' });
  await send(page, 'dateOfBirth-day');
  await page.locator('.error-summary').waitFor();
  await take(page, 'mistake-download', { widths: PHONE });
  const mail = await awaitMail(bought.corrected.email, /Correct your application/);
  const link = /https?:\/\/\S+\/application\/correct\/[\w.~-]+/.exec(mail.text ?? '')?.[0] ?? '';
  await page.goto(link);
  await take(page, 'correction', { widths: PHONE });
  await page.locator('[name="address"]').fill('');
  await send(page, 'address');
  await page.locator('.error-summary').waitFor();
  await take(page, 'mistake-correction', { widths: PHONE });
  await page.locator('[name="address"]').fill('14 Marine Parade, Durban 4001');
  await page.locator('[name="passportNumber"]').fill('A04512348');
  await send(page, 'address');
  await settle(page);
  await take(page, 'correction-sent', { widths: PHONE });
  await page.goto(link);
  await take(page, 'correction-used', { widths: PHONE });
});
