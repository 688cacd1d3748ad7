import sharp from 'sharp';
import { day, expect, fillDate, newEmail, newPassport, type Page } from './lale.ts';

/** A buyer of insurance; names and numbers are invented. */
type InsuranceBuyer = {
  nationality?: string;
  firstName: string;
  lastName: string;
  email: string;
  passportNumber: string;
  /** Year of birth. */
  year: string;
};

export const adult = (): InsuranceBuyer => ({
  nationality: 'MEX',
  firstName: 'Sofía',
  lastName: 'Hernández Ruiz',
  email: newEmail('sofia'),
  passportNumber: newPassport('G'),
  year: '1991',
});

export const child = (): InsuranceBuyer => ({
  ...adult(),
  firstName: 'Diego',
  email: newEmail('diego'),
  passportNumber: newPassport('G'),
  year: String(new Date().getUTCFullYear() - 9),
});

/** Ten days, beginning a month from now. */
export async function fillTrip(page: Page): Promise<void> {
  await fillDate(page, 'travelDate', day(30));
  await fillDate(page, 'returnDate', day(39));
}

/** Without a nationality in `insured`, the page's stays. */
export async function fillInsured(page: Page, insured: InsuranceBuyer): Promise<void> {
  if (insured.nationality) {
    await page.locator('select[name="nationality"]').selectOption(insured.nationality);
  }
  await page.locator('[name="lastName"]').fill(insured.lastName);
  await page.locator('[name="firstName"]').fill(insured.firstName);
  await page.locator('[name="passportNumber"]').fill(insured.passportNumber);
  await fillDate(page, 'dateOfBirth', { day: '14', month: '7', year: insured.year });
  await page.locator('[name="email"]').fill(insured.email);
  await page.locator('[name="phone"]').fill('+52 33 1234 5678');
}

/** From the form to the review. */
export const pressNext = (page: Page) =>
  page.locator('button[name="intent"][value="next"]').click();

/** From the form over the review to the payment, once a plan is chosen: scripts select the one that fits the dates. */
export async function pressPay(page: Page): Promise<void> {
  await page.locator('[name="productId"]:checked').waitFor({ state: 'attached' });
  await pressNext(page);
  await page.waitForURL('**/insurance/review');
  await page.locator('button[name="intent"][value="pay"]').click();
}

export async function photo(name: string, background: string) {
  const image = sharp({ create: { width: 600, height: 400, channels: 3, background } });
  return { name, mimeType: 'image/jpeg', buffer: await image.jpeg().toBuffer() };
}

export async function insuranceNumber(page: Page): Promise<string> {
  const shown = await page.getByTestId('application-number').first().textContent();
  const number = (shown ?? '').replace(/\s/g, '');
  expect(number).toMatch(/^TRI[0-9A-Z]{13}$/);
  return number;
}
