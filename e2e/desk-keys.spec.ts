import { applicationNumber, payByCard, southAfrican, walkToReview } from './apply.ts';
import { expect, signIn, test, type Page } from './lale.ts';

const pdf = Buffer.from(
  '%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n' +
    'trailer << /Root 1 0 R /Size 3 >>\nstartxref\n0\n%%EOF\n',
);

async function buy(page: Page): Promise<string> {
  await walkToReview(page, southAfrican());
  await page.getByRole('button', { name: /Submit and pay/ }).click();
  await payByCard(page);
  await page.waitForURL('**/payment-success**');
  return applicationNumber(page);
}

/** Moves on with the tab key until this has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    if (await page.evaluate((one) => document.activeElement?.matches(one), selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The tab key does not lead to ${selector}`);
}

test('a day at the desk by keyboard alone: processing, approval with a PDF, rejection', async ({
  page,
}) => {
  const numbers = [await buy(page), await buy(page)];
  await page.setViewportSize({ width: 1280, height: 900 });
  await signIn(page);
  const keys = page.keyboard;
  // The browser has to know early that somebody waits: a press that comes first opens a window that nobody answers.
  const choosing = page.waitForEvent('filechooser');

  await page.goto(`/admin/applications/${numbers[0]}`);
  await expect(page.getByText('turn the keys off', { exact: false })).toBeVisible();
  await tabTo(page, 'button[name="intent"][value="start"]');
  await keys.press('Enter');
  await expect(page.getByTestId('status').first()).toHaveText('Processing');
  await tabTo(page, '#document');
  await keys.press('Enter');
  const chooser = await choosing;
  await chooser.setFiles({ name: 'evisa.pdf', mimeType: 'application/pdf', buffer: pdf });
  await expect(page.getByText('Checked and ready')).toBeVisible();
  await keys.press('a');
  await expect(page.getByRole('button', { name: 'Approve and send e-mail' })).toBeFocused();
  await keys.press('Enter');
  await expect(page.getByTestId('status').first()).toHaveText('Approved');

  await page.goto(`/admin/applications/${numbers[1]}`);
  await expect(page.getByText('turn the keys off', { exact: false })).toBeVisible();
  await keys.press('r');
  await expect(page.locator('#reject-dialog')).toBeVisible();
  await tabTo(page, '[name="reasonCode"]');
  await keys.type('There is another');
  await tabTo(page, 'button[form="reject-form"]');
  await keys.press('Enter');
  await expect(page.frameLocator('iframe').getByText('There is another application')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Reject and send e-mail' })).toBeFocused();
  await keys.press('Enter');
  await expect(page.getByTestId('status').first()).toHaveText('Rejected');
  await expect(page.getByRole('button', { name: /^(Approve|Reject)(…| and)/ })).toHaveCount(0);
  await keys.press('n');
  await expect(page).toHaveURL(/\/admin(\/applications\/(?!.*done)|\?|$)/);
});
