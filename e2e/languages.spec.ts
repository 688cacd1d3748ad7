import { expect, test } from './lale.ts';

const titles = {
  en: 'en',
  tr: 'tr',
  fr: 'fr',
  de: 'de',
  es: 'es',
  ar: 'ar',
} as const;

for (const language of Object.keys(titles)) {
  test(`/${language} is in that language from the first byte`, async ({ page, request }) => {
    const html = await (await request.get(`/${language}/application`)).text();
    expect(html).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"`);
    await page.goto(`/${language}/application`);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
  });
}

test('the browser’s language is negotiated, a supported one or English', async ({ request }) => {
  const langOf = async (accept: string) => {
    const answer = await request.get('/status', { headers: { 'accept-language': accept } });
    return /<html lang="(\w+)"/.exec(await answer.text())?.[1];
  };
  expect(await langOf('pt-BR,fr;q=0.8,en;q=0.5')).toBe('fr');
  expect(await langOf('ja,ko;q=0.9')).toBe('en');
  expect(await langOf(';;;=')).toBe('en');
});

test('choosing a language is kept, on the page and for the next visit', async ({
  page,
  context,
}) => {
  await page.goto('/status');
  await page.getByRole('button', { name: /Language/ }).click();
  await page.locator('a[hreflang="de"]').click();
  await page.waitForURL('**/de/status');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  expect(await page.evaluate(() => localStorage.getItem('preferred-language'))).toBe('de');
  const cookies = await context.cookies();
  expect(cookies.find(({ name }) => name === 'preferred-language')?.value).toBe('de');
  await page.goto('/status');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
});
