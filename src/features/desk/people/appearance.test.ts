import { expect, test } from 'vitest';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';

const platform = await makeTestPlatform();
const app = makeTestApp(platform);

/** For which screens a page names the dark colours, and what it tells the browser before they are there. */
async function coloursOf(path: string, cookie = '') {
  const html = await (await app.request(path, { headers: { cookie } })).text();
  const [, dark = null] = /<link[^>]*media="(screen[^"]*)"/.exec(html) ?? [];
  return {
    dark,
    scheme: /<meta name="color-scheme" content="([^"]*)"/.exec(html)?.[1] ?? null,
  };
}
const asTheDevice = { dark: 'screen and (prefers-color-scheme: dark)', scheme: 'light dark' };

test('the desk is light or dark as each person chose, from the first byte of every page', async () => {
  const [one, other] = [await storeStaff(platform), await storeStaff(platform)];
  const choose = (appearance: string) =>
    app.request('/admin/account', {
      method: 'POST',
      headers: { cookie: one.cookie },
      body: new URLSearchParams({ intent: 'appearance', appearance }),
    });
  expect(await coloursOf('/admin', one.cookie)).toEqual(asTheDevice);
  expect(await (await choose('dark')).text()).toContain(
    'The staff site’s colours have been changed.',
  );
  expect(await coloursOf('/admin', one.cookie)).toEqual({ dark: 'screen', scheme: 'dark' });
  expect(await coloursOf('/admin', other.cookie)).toEqual(asTheDevice);
  await choose('light');
  expect(await coloursOf('/admin/refunds', one.cookie)).toEqual({ dark: null, scheme: 'light' });
  expect((await choose('sepia')).status).toBe(422);
});

test('before signing in the device decides; pages of visitors and of the lab are light', async () => {
  expect(await coloursOf('/admin')).toEqual(asTheDevice);
  expect(await coloursOf('/en')).toEqual({ dark: null, scheme: null });
  expect(await coloursOf('/payment-troubleshoot')).toEqual({ dark: null, scheme: null });
});
