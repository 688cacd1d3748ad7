import { expect, day, fillDate, isoDate, newEmail, newPassport, type Page } from './lale.ts';

/** A traveller with every answer of the wizard; names and numbers are invented. */
export type Traveller = {
  countryId: string;
  lastName: string;
  firstName: string;
  passportNumber: string;
  email: string;
  supportingVisa?: { country: string; number: string };
  /** The year of birth; 1984 by default. */
  born?: string;
};

export const southAfrican = (): Traveller => ({
  countryId: 'ZAF',
  lastName: 'Naidoo',
  firstName: 'Thabo',
  passportNumber: newPassport('A'),
  email: newEmail('thabo'),
});

export const indian = (): Traveller => ({
  countryId: 'IND',
  lastName: 'Rao',
  firstName: 'Meera',
  passportNumber: newPassport('Z'),
  email: newEmail('meera'),
  supportingVisa: { country: 'SCHENGEN', number: 'D12345678' },
});

/** Found by type, so that this works in six languages. */
export const next = (page: Page) => page.locator('main form button[type="submit"]').first().click();

export async function chooseNationality(page: Page, countryId: string, document = 'ordinary') {
  await page.locator('select[name="countryId"]').selectOption(countryId);
  await choose(page, 'documentType', document);
}

/** A choice may be a select or radio buttons. */
export async function choose(page: Page, name: string, value: string): Promise<void> {
  const select = page.locator(`select[name="${name}"]`);
  if ((await select.count()) > 0) await select.selectOption(value);
  else await page.locator(`input[name="${name}"][value="${value}"]`).check();
}

export async function fillSupportingVisa(page: Page, visa: { country: string; number: string }) {
  await choose(page, 'hasSupportingDocument', 'yes');
  await choose(page, 'supportingDocumentType', 'visa');
  await choose(page, 'visaCountry', visa.country);
  await page.locator('[name="supportingDocumentNumber"]').fill(visa.number);
  await fillDate(page, 'supportingDocumentStartDate', day(-100));
  await fillDate(page, 'supportingDocumentEndDate', day(400));
}

export async function fillDetails(page: Page, traveller: Traveller): Promise<void> {
  await page.locator('[name="lastName"]').fill(traveller.lastName);
  await page.locator('[name="firstName"]').fill(traveller.firstName);
  await page.locator('[name="passportNumber"]').fill(traveller.passportNumber);
  await fillDate(page, 'dateOfBirth', { day: '2', month: '5', year: traveller.born ?? '1984' });
  await page.locator('[name="placeOfBirth"]').fill('Durban');
  await fillDate(page, 'passportIssueDate', { day: '11', month: '1', year: '2023' });
  await fillDate(page, 'passportExpiryDate', day(2200));
  await page.locator('[name="motherName"]').fill('Nomsa Naidoo');
  await page.locator('[name="fatherName"]').fill('Sipho Naidoo');
  await page.locator('[name="email"]').fill(traveller.email);
  await page.locator('[name="phone"]').fill('+27 82 123 4567');
  await page.locator('[name="address"]').fill('12 Marine Parade, Durban 4001');
  const matches = page.locator('[name="nameConfirmed"]');
  if (await matches.isVisible()) await matches.check();
}

/** From the first step of a South African's tourist visa to that of arrival and processing. */
export async function walkToArrival(page: Page, prefix = ''): Promise<void> {
  await page.goto(`${prefix}/application`);
  await chooseNationality(page, 'ZAF');
  await next(page);
  await page.waitForURL('**/application/what-it-allows');
  await choose(page, 'purpose', 'tourism');
  await next(page);
  await page.waitForURL('**/application/arrival');
}

type WalkOptions = {
  prefix?: string;
  processingType?: string;
  /** Called on every screen, once it shows. */
  onScreen?: (name: string) => Promise<void>;
};

/** From the first step to the review page. */
export async function walkToReview(
  page: Page,
  traveller: Traveller,
  options: WalkOptions = {},
): Promise<void> {
  const { prefix = '', onScreen } = options;
  await page.goto(`${prefix}/application`);
  await onScreen?.('nationality');
  await continueWizard(page, traveller, options);
}

/** The same from an open first step: also for a traveller of a group, whose pages have a position in the address. */
export async function continueWizard(
  page: Page,
  traveller: Traveller,
  { processingType = 'standard', onScreen = async () => undefined }: WalkOptions = {},
): Promise<void> {
  const reached = (step: string) => page.waitForURL(({ pathname }) => pathname.endsWith(step));
  await chooseNationality(page, traveller.countryId);
  await next(page);
  if (traveller.supportingVisa) {
    await reached('/application/supporting-document');
    await onScreen('supporting-document');
    await fillSupportingVisa(page, traveller.supportingVisa);
  } else {
    await reached('/application/what-it-allows');
    await onScreen('what-it-allows');
    await choose(page, 'purpose', 'tourism');
  }
  await next(page);
  await reached('/application/arrival');
  await fillDate(page, 'arrivalDate', day(60));
  await onScreen('arrival');
  await page.locator(`input[name="processingType"][value="${processingType}"]`).check();
  await next(page);
  if (traveller.supportingVisa) {
    await reached('/application/prerequisites');
    await onScreen('prerequisites');
    for (const name of [
      'ordinaryPassport',
      'validPassport',
      'enterWithin3Months',
      'stayWithin30Days',
    ]) {
      await page.locator(`[name="${name}"]`).check();
    }
    await next(page);
  }
  await reached('/application/details');
  await onScreen('details');
  await fillDetails(page, traveller);
  await next(page);
  await reached('/application/review');
  await onScreen('review');
}

/** Enters a published test card at the gateway's page and presses Pay. */
export async function payByCard(page: Page, cardNumber = '4111 1111 1111 1111'): Promise<void> {
  await page.waitForURL('**/mock-gpay-payment**');
  await page.locator('[name="cardHolder"]').fill('T NAIDOO');
  await page.locator('[name="cardNumber"]').fill(cardNumber);
  await page.locator('[name="expiryDate"]').fill('12/30');
  await page.locator('[name="cvv"]').fill('123');
  // Enter presses Pay in every language.
  await page.locator('[name="cvv"]').press('Enter');
}

/** All answers of one traveller, in the API's form. */
export const callAnswers = ({
  countryId,
  firstName,
  lastName,
  passportNumber,
  email,
}: Traveller) => ({
  countryId,
  firstName,
  lastName,
  passportNumber,
  email,
  documentType: 'ordinary',
  dateOfBirth: '1984-05-02',
  placeOfBirth: 'Durban',
  passportIssueDate: '2023-01-11',
  passportExpiryDate: isoDate(day(2200)),
  motherName: 'Nomsa Naidoo',
  fatherName: 'Sipho Naidoo',
  phone: '+27 82 123 4567',
  address: '12 Marine Parade, Durban 4001',
  arrivalDate: isoDate(day(60)),
  processingType: 'standard',
});

/**
 * Applies by API calls and pays at the gateway's page, for journeys about what comes afterwards. Returns the
 * application's number.
 */
export async function buyByCalls(
  page: Page,
  traveller: Traveller,
  { processingType, totalAmount } = { processingType: 'standard', totalAmount: '94.00' },
  { hasScripts = true }: { hasScripts?: boolean } = {},
): Promise<string> {
  const applied = await page.request.post('/api/applications', {
    data: { ...callAnswers(traveller), processingType, totalAmount },
  });
  expect(applied.status()).toBe(201);
  const { applicationNumber: number, orderReference } = await applied.json();
  const started = await page.request.post('/api/payment/create', {
    data: { amount: totalAmount, orderReference },
  });
  const { paymentUrl } = await started.json();
  await page.goto(paymentUrl);
  if (!hasScripts) await page.getByRole('button', { name: 'Continue to payment' }).click();
  await payByCard(page);
  await page.waitForURL('**/payment-success**');
  return number;
}

/** The number on a page, without its spaces. */
export async function applicationNumber(page: Page): Promise<string> {
  const shown = await page.getByTestId('application-number').first().textContent();
  const number = (shown ?? '').replace(/\s/g, '');
  expect(number).toMatch(/^TRV[0-9A-Z]{13}$/);
  return number;
}
