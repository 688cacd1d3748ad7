import { expect, sidewaysScroll, signIn, test } from './lale.ts';

test('an administrator reads what stands between this service and taking money, with scripts and without @nightly', async ({
  page,
  browser,
  baseURL,
}) => {
  await signIn(page);
  await page.goto('/en/admin/settings');
  await page.getByRole('link', { name: 'Ready for payments?' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ready for payments?');
  const check = (name: string) => page.getByRole('listitem').filter({ hasText: name }).first();
  await expect(check('Mode and variables')).toContainText('Test mode: payments are simulated.');
  await expect(check('Mode and variables')).toContainText('Missing');
  await expect(check('Secrets and keys')).toContainText('Run: npm run lale -- keys');
  await expect(check('Database account')).toContainText('In order');
  await check('Operator’s details').getByRole('link').click();
  await expect(page).toHaveURL(/\/admin\/settings\/operator$/);

  const without = await browser.newContext({ javaScriptEnabled: false, baseURL });
  await without.addCookies(await page.context().cookies());
  const plain = await without.newPage();
  for (const language of ['en', 'tr', 'ar']) {
    await plain.goto(`/${language}/admin/settings/setup`);
    await expect(plain.getByText('npm run lale -- keys')).toBeVisible();
    for (const width of [320, 390, 1280]) {
      await plain.setViewportSize({ width, height: 900 });
      expect([language, width, await sidewaysScroll(plain)]).toEqual([language, width, 0]);
    }
  }
  await plain.getByRole('button').last().click();
  await expect(plain.getByText('npm run lale -- keys')).toBeVisible();
  await without.close();
});
