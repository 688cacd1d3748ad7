import { buyByCalls, southAfrican } from './apply.ts';
import { awaitMail, expect, expectAccessible, signIn, test } from './lale.ts';

test('a traveller cancels; staff refund what the policy gives; the status page and an e-mail say so @nightly', async ({
  page,
}) => {
  const traveller = southAfrican();
  const number = await buyByCalls(page, traveller);

  await page.setViewportSize({ width: 1280, height: 900 });
  await signIn(page);
  await page.goto(`/admin/applications/${number}`);
  await page.getByRole('link', { name: 'Order and refunds' }).click();
  await page.waitForURL('**/admin/orders/**');
  await page
    .getByRole('combobox', { name: 'Reason', exact: true })
    .selectOption({ label: 'Cancelled by the traveller' });
  await page.getByRole('button', { name: 'Show what the policy allows' }).click();
  await expect(page.getByText('Cancelled shortly after payment')).toBeVisible();
  await expectAccessible(page);

  // More than the policy refunds needs a reason.
  await page.getByLabel('E-visa fee, USD').fill('10');
  await page.getByRole('button', { name: 'Check this refund' }).click();
  await expect(page.getByText('Explain why the amount differs from the policy.')).toBeVisible();
  await expect(page.getByLabel('E-visa fee, USD')).toHaveValue('10');
  await page.getByLabel('E-visa fee, USD').fill('0');
  await page.getByRole('button', { name: 'Check this refund' }).click();
  const confirm = page.getByRole('button', { name: /^Refund \$/ });
  await expect(confirm).toBeVisible();
  await expectAccessible(page);
  await confirm.click();
  await expect(page.getByText('The refund is on its way.')).toBeVisible();

  await awaitMail(traveller.email, /refund|\$/i);
  await expect(async () => {
    await page.reload();
    await expect(page.getByText(/· \$\d+\.\d\d refunded/)).toBeVisible({ timeout: 1000 });
  }).toPass({ timeout: 20_000 });
  await expectAccessible(page);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/status?ref=${number}`);
  await expect(page.getByTestId('refunded')).toContainText('$');
  await expectAccessible(page);
});
