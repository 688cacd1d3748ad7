import { Secret, TOTP } from 'otpauth';
import {
  administrator,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  scriptsRun,
  test,
  type Page,
} from './lale.ts';
import { startSsoService, type SsoService } from './sso-service.ts';

let service: SsoService;
test.beforeAll(async () => {
  // Browsers make passkeys for names, not for the addresses that other journeys use.
  service = await startSsoService({ host: 'localhost' });
});
test.afterAll(async () => {
  await service.stop();
});

/** A device of this browser that has fingerprints, and says yes. */
async function addDevice(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function typePassword(page: Page) {
  await page.locator('[name="email"]').fill(administrator.email);
  await page.locator('[name="password"]').fill(administrator.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('a passkey is added, signs in alone and after the password, and is removed', async ({
  page,
  browser,
}) => {
  const atDesk = () => expect(page.getByRole('searchbox').first()).toBeVisible();
  await addDevice(page);
  await page.goto(`${service.url}/admin`);
  await typePassword(page);
  await atDesk();
  await page.goto(`${service.url}/admin/second-factor`);
  const key = (await page.getByTestId('totp-secret').textContent()) ?? '';
  const code = (steps = 0) =>
    new TOTP({ secret: Secret.fromBase32(key) }).generate({
      timestamp: Date.now() + steps * 30_000,
    });
  // Never a code of the past, which a slow page would bring too late.
  await page.locator('[name="code"]').fill(code());
  await page.getByRole('button', { name: 'Set up' }).click();
  await expect(page.getByText('Your recovery codes')).toBeVisible();
  const [recovery = ''] = /[0-9A-Z]{5}-[0-9A-Z]{5}/.exec(await page.innerText('main')) ?? [];

  await page.goto(`${service.url}/admin/account`);
  await scriptsRun(page);
  await page.getByLabel('Name of the passkey').fill('Laptop');
  await page.locator('[name="passkey-code"]').fill('000000');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText('This code is wrong')).toBeVisible();
  await page.locator('[name="passkey-code"]').fill(code(1));
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText('The passkey has been added')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Laptop' })).toBeVisible();
  await expectAccessible(page);
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page);
  }

  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await atDesk();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await typePassword(page);
  await expect(page.getByRole('heading', { name: 'Second factor' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await atDesk();

  // Without scripts password and code work as before.
  const plain = await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB' });
  const simple = await plain.newPage();
  await simple.goto(`${service.url}/admin`);
  await expect(simple.getByRole('button', { name: 'Sign in with a passkey' })).toHaveCount(0);
  await typePassword(simple);
  await simple.locator('[name="code"]').fill(recovery);
  await simple.getByRole('button', { name: 'Confirm' }).click();
  await expect(simple.getByRole('searchbox').first()).toBeVisible();
  await plain.close();

  await page.goto(`${service.url}/admin/account`);
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('The passkey has been removed')).toBeVisible();
});
