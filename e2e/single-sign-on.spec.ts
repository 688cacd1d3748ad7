import {
  administrator,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  test,
  type Page,
} from './lale.ts';
import { languageCodes } from '../src/base/languages.ts';
import { startSsoService, type SsoService } from './sso-service.ts';

let service: SsoService;
test.beforeAll(async () => {
  service = await startSsoService();
});
test.afterAll(async () => {
  await service.stop();
});

const EMAIL = 'deniz@lale.example';
const role = (page: Page) => page.getByText(/^(Reviewer|Manager|Administrator)$/).first();

/** Types a name on the provider's page. */
async function signInThere(page: Page, name: string) {
  await expect(page.getByRole('heading', { name: 'Tulip ID' })).toBeVisible();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** What the security policy of our pages stopped. */
function watchPolicy(page: Page): string[] {
  const stopped: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) stopped.push(message.text());
  });
  return stopped;
}

test('an invited colleague accepts by signing in at the provider', async ({ page, browser }) => {
  await page.goto(`${service.url}/admin`);
  await expect(page.getByRole('link', { name: 'Sign in with Tulip ID' })).toBeVisible();
  await expectAccessible(page);
  await page.locator('[name="email"]').fill(administrator.email);
  await page.locator('[name="password"]').fill(administrator.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('searchbox').first()).toBeVisible();
  await page.goto(`${service.url}/admin/accounts`);
  await page.locator('[name="name"]').fill('Deniz Kaya');
  await page.locator('[name="email"]').fill(EMAIL);
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await expect(page.getByText('The invitation is on its way')).toBeVisible();

  service.provider.people.set('deniz', { claims: { roles: ['Lale staff'] } });
  const context = await browser.newContext({ locale: 'en-GB' });
  const colleague = await context.newPage();
  const stopped = watchPolicy(colleague);
  await colleague.goto(await service.linkTo(EMAIL));
  await expectAccessible(colleague);
  await colleague.getByRole('link', { name: 'Sign in with Tulip ID' }).click();
  await signInThere(colleague, 'deniz');
  await expect(colleague.getByRole('searchbox').first()).toBeVisible();
  await expect(role(colleague)).toHaveText('Reviewer');
  await colleague.goto(`${service.url}/admin/account`);
  await expect(colleague.locator('[name="current"]')).toHaveCount(0);
  await expectAccessible(colleague);
  expect(stopped).toEqual([]);

  await page.reload();
  await expect(page.getByText('Given by Tulip ID')).toBeVisible();
  await expectAccessible(page);
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page);
  }
  await context.close();
});

test('the pages of it fit in every language and width @nightly', async ({ page }) => {
  for (const language of languageCodes) {
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of ['admin', 'admin/single-sign-on/callback']) {
        await page.goto(`${service.url}/${language}/${path}`);
        await expectNoSidewaysScroll(page);
      }
    }
  }
});
