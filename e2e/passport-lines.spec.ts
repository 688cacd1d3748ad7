import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { sampleLines } from '../src/features/visa/passport-reader/testing/sample-lines.ts';
import { drawPassport } from '../src/features/visa/passport-reader/testing/draw-passport.ts';
import { applicationNumber, payByCard, southAfrican, walkToReview } from './apply.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  isThorough,
  scriptsRun,
  signIn,
  test,
  type Page,
} from './lale.ts';
import { findWholeChromium } from './chromium.ts';

/** What the browser's camera shows, from the next time on that it is opened. */
const FILM = join(process.env.E2E_DATA_DIR ?? '', 'passport.mjpeg');

test.use({
  launchOptions: {
    executablePath: findWholeChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${FILM}`,
    ],
  },
});

const NUMBER = 'A04512347';
const OFFER = 'Use a photo of your passport';

/** The passport of the journey's traveller; its expiry date differs from the one that is typed. */
const lines = sampleLines('TD3', {
  issuer: 'ZAF',
  nationality: 'ZAF',
  lastName: 'Naidoo',
  firstName: 'Thabo',
  number: NUMBER,
  born: '1984-05-02',
  sex: 'M',
  expires: '2031-03-09',
  optional: '8405025800086',
}).join('\n');

async function readLines(page: Page, text: string): Promise<void> {
  const box = page.locator('[name="machineReadableLines"]');
  if (!(await box.isVisible())) {
    await page.locator('details:has([name="machineReadableLines"]) summary').click();
  }
  await box.fill(text);
  await page.locator('button[value="read_lines"]').click();
}

async function expectFilled(page: Page): Promise<void> {
  await expect(page.locator('[name="lastName"]')).toHaveValue('NAIDOO');
  await expect(page.locator('[name="firstName"]')).toHaveValue('THABO');
  await expect(page.locator('[name="passportNumber"]')).toHaveValue(NUMBER);
  await expect(page.locator('[name="dateOfBirth-year"]')).toHaveValue('1984');
  await expect(page.locator('[name="passportExpiryDate-day"]')).toHaveValue('9');
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test(`pasted lines fill in the details${javaScriptEnabled ? ' @nightly' : ''}`, async ({
      page,
    }) => {
      const posted: string[] = [];
      page.on('request', (request) => {
        const isSent = request.method() === 'POST' && !request.url().endsWith('/keep');
        if (isSent && request.url().includes('/details')) posted.push(request.url());
      });
      await walkToReview(
        page,
        { ...southAfrican(), passportNumber: NUMBER },
        {
          async onScreen(name) {
            if (name === 'nationality' && !javaScriptEnabled)
              await expect(page.getByText(OFFER)).toBeHidden();
            if (name !== 'details') return;
            if (javaScriptEnabled) await scriptsRun(page);
            await readLines(page, lines.replace('840502', '840520'));
            await expect(
              page.getByText('one character is wrong in “Date of birth”').first(),
            ).toBeVisible();
            await expect(page.locator('[name="lastName"]')).toHaveValue('');
            await readLines(page, lines);
            await expect(page.getByText('Read from your passport')).toBeVisible();
            await expectFilled(page);
            expect(posted.length).toBe(javaScriptEnabled ? 0 : 2);
            if (javaScriptEnabled) await expectAccessible(page);
            await expectNoSidewaysScroll(page);
          },
        },
      );
    });
  });
}

const conditions = { width: 1600, tilt: -4, noise: 30, blur: 0.8, glare: 0.3, quality: 75 };

async function choosePhoto(page: Page, buffer: Buffer): Promise<void> {
  const album = page.locator('input[type="file"][accept="image/*"]').last();
  await album.setInputFiles({ name: 'passport.jpg', mimeType: 'image/jpeg', buffer });
}

/** A film of a passport as a phone held upright sees it. */
async function film(quarters: number): Promise<void> {
  const calm = { width: 1080, tilt: 1, noise: 12, blur: 0.6, glare: 0, quality: 85, share: 0.74 };
  const photo = sharp(await drawPassport(lines.split('\n'), { ...calm, quarters }, 1));
  const { height } = await photo.metadata();
  const rest = { top: (1440 - height) >> 1, bottom: (1440 - height) >> 1, background: '#654' };
  const frame = await photo.extend(rest).jpeg().toBuffer();
  writeFileSync(FILM, Buffer.concat([frame, frame]));
}

/** The camera's view, and what its one track says of itself. */
async function openedCamera(page: Page) {
  const view = page.locator('dialog.camera');
  await expect(view.getByText('Stays on your device.')).toBeVisible();
  const track = await view
    .locator('video')
    .evaluateHandle((video: HTMLVideoElement) =>
      video.srcObject instanceof MediaStream ? video.srcObject.getTracks()[0] : undefined,
    );
  return { view, state: () => track.evaluate((one) => one?.readyState) };
}

test('a passport before the camera or in a photo fills in the details, and no picture is sent', async ({
  page,
  context,
}) => {
  const refused: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text());
  });
  const sent: string[] = [];
  const loaded = new Map<string, number>();
  page.on('request', (request) => sent.push(request.postData() ?? ''));
  page.on('requestfinished', async (request) => {
    const { pathname } = new URL(request.url());
    const { responseBodySize } = await request.sizes();
    if (pathname.startsWith('/assets/')) loaded.set(pathname, responseBodySize);
  });
  const photoFiles = () =>
    [...loaded.keys()].filter((path) => /worker|weights|read-in-browser|camera/.test(path));

  async function byCamera() {
    await scriptsRun(page);
    await film(0);
    const offer = page.getByRole('button', { name: OFFER });
    await expect(offer).toBeVisible();
    // Loaded with a press alone.
    expect(photoFiles()).toEqual([]);
    await offer.click();
    const without = page.getByRole('dialog', { name: OFFER });
    await expect(without.getByText('This page is not allowed to use your camera')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Type it instead' }).click();
    await expect(page.locator('[name="countryId"]')).toBeFocused();

    await context.grantPermissions(['camera']);
    // Upside down, so that the lines are not where they are looked for: the button looks everywhere.
    await film(2);
    await offer.click();
    const first = await openedCamera(page);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    expect(await first.state()).toBe('live');
    await page.keyboard.press('Escape');
    await expect(first.view).toHaveCount(0);
    await expect(offer).toBeFocused();
    expect(await first.state()).toBe('ended');
    await offer.click();
    const second = await openedCamera(page);
    await page.keyboard.press('Enter');
    await expect(page.locator('[name="countryId"]')).toHaveValue('ZAF');
    expect(await second.state()).toBe('ended');

    await page.locator('[name="countryId"]').selectOption('IND');
    await film(0);
    await offer.click();
    const third = await openedCamera(page);
    await expect(page.locator('[name="countryId"]')).toHaveValue('ZAF');
    expect(await third.state()).toBe('ended');
    await expect(page.getByText('Read from your passport: South Africa')).toBeVisible();
    await expectAccessible(page);
    await offer.click();
    const hidden = await openedCamera(page);
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await expect(hidden.view).toHaveCount(0);
    expect(await hidden.state()).toBe('ended');
    const weight = [...loaded.entries()]
      .filter(([path]) => photoFiles().includes(path))
      .reduce((sum, [, bytes]) => sum + bytes, 0);
    expect(weight).toBeLessThan(150 * 1024);
  }

  async function byPhotos() {
    await scriptsRun(page);
    await expect(page.getByText('Read from your passport')).toBeVisible();
    await expectFilled(page);
    await expectAccessible(page);
    // What is typed is kept as it is typed; what was read on the first page waits for Next.
    const kept = page.waitForRequest('**/application/keep');
    await page.locator('[name="placeOfBirth"]').fill('Durban');
    expect((await kept).postData()).toContain('Durban');
    expect(sent.filter((body) => body.includes(NUMBER))).toEqual([]);
    await page.locator('[name="lastName"]').fill('');
    await page.locator('[name="passportNumber"]').fill('');
    await page.locator('details:has([name="machineReadableLines"]) summary').click();
    await choosePhoto(page, Buffer.from('no photo'));
    await expect(page.getByText('We could not open this file')).toBeVisible();
    if (isThorough) {
      const unlined = lines.split('\n').map((line) => line.replaceAll('<', ' '));
      await choosePhoto(page, await drawPassport(unlined, conditions, 1));
      await expect(page.getByText('We could not find the lines in this photo')).toBeVisible();
    }
    const [upper = '', lower = ''] = lines.split('\n');
    // A character that could be any, and a check digit that leaves none which suits all.
    const [digit = ''] = lower.slice(9);
    const other = digit === '7' ? '2' : '7';
    const smudged = [upper, `${lower.slice(0, 4)}*${lower.slice(5, 9)}${other}${lower.slice(10)}`];
    await choosePhoto(page, await drawPassport(smudged, conditions, 1));
    await expect(page.getByText('We could not read every character')).toBeVisible();
    await expect(
      page.getByRole('listitem').filter({ hasText: 'Line 2, character 5:' }),
    ).toBeVisible();
    await expect(page.locator('[name="machineReadableLines"]')).toHaveValue(/^P<ZAFNAIDOO<<THABO/);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    if (isThorough) {
      const wrong = [upper, lower.replace('840502', '840520')];
      await choosePhoto(page, await drawPassport(wrong, conditions, 1));
      await expect(page.getByText('We may have misread the lines')).toBeVisible();
    }
    const turned = { ...conditions, quarters: 1 };
    await choosePhoto(page, await drawPassport([upper, lower], turned, 1));
    await expect(page.getByText('Read from your passport')).toBeVisible();
    await expectFilled(page);
    await expect(page.getByAltText('The lines in your photo')).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  }

  await walkToReview(
    page,
    { ...southAfrican(), passportNumber: NUMBER },
    {
      async onScreen(name) {
        if (name === 'nationality') await byCamera();
        if (name === 'details') await byPhotos();
      },
    },
  );
  expect(Math.max(...sent.map(({ length }) => length))).toBeLessThan(4000);
  const kept = () => page.evaluate(() => Object.keys(sessionStorage));
  expect(await kept()).toEqual([]);
  // What was read again is not needed where the details are filled in.
  await page.goto('/application');
  await scriptsRun(page);
  await page.getByRole('button', { name: OFFER }).click();
  await expect(page.getByText('Read from your passport: South Africa')).toBeVisible();
  expect(await kept()).toHaveLength(1);
  await page.goto('/application/details');
  await expect.poll(kept).toEqual([]);
  expect(refused).toEqual([]);
});

/** In seconds, of all of the browser's processes: the time that they worked, which other work on the machine does not change. */
async function worked(page: Page): Promise<number> {
  const browser = await page.context().browser()?.newBrowserCDPSession();
  const all = await browser?.send('SystemInfo.getProcessInfo');
  await browser?.detach();
  return (all?.processInfo ?? []).reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

test('a photo of twelve megapixels is read, and it is said how long that takes @nightly', async ({
  page,
}) => {
  const photo = await drawPassport(lines.split('\n'), { ...conditions, width: 4000 }, 1);
  await walkToReview(
    page,
    { ...southAfrican(), passportNumber: NUMBER },
    {
      async onScreen(name) {
        if (name !== 'details') return;
        await scriptsRun(page);
        const devTools = await page.context().newCDPSession(page);
        await page.locator('details:has([name="machineReadableLines"]) summary').click();
        // Chromium slows the page down, not its worker: that works as long as the first figure says, times 4 and 6.
        for (const rate of [1, 4, 6]) {
          await page.locator('[name="lastName"]').fill('');
          await devTools.send('Emulation.setCPUThrottlingRate', { rate });
          const [start, before] = [performance.now(), await worked(page)];
          await choosePhoto(page, photo);
          await expect(page.locator('[name="lastName"]')).toHaveValue('NAIDOO');
          const seconds = ((performance.now() - start) / 1000).toFixed(1);
          const work = ((await worked(page)) - before).toFixed(1);
          process.stdout.write(`page ${rate} times slower: ${seconds} s, of work ${work} s\n`);
        }
        await devTools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
        await expectFilled(page);
      },
    },
  );
});

test('the desk sees what was typed beside what was read @nightly', async ({ page }) => {
  await walkToReview(
    page,
    { ...southAfrican(), passportNumber: NUMBER },
    {
      async onScreen(name) {
        if (name !== 'details') return;
        await scriptsRun(page);
        await readLines(page, lines);
        await expectFilled(page);
        await page.locator('[name="passportExpiryDate-year"]').fill('2032');
        await expect(page.getByText('Some answers differ')).toBeVisible();
      },
    },
  );
  await page.getByRole('button', { name: /Submit and pay/ }).click();
  await payByCard(page);
  await page.waitForURL('**/payment-success**');
  const number = await applicationNumber(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await signIn(page);
  await page.goto(`/admin/applications/${number}`);
  const rows = page.locator('.desk-zone tbody tr');
  await expect(rows).toHaveCount(6);
  await expect(rows.filter({ hasText: 'Passport number' })).toContainText('A0•••••47');
  await expect(rows.filter({ hasText: 'Passport number' })).not.toContainText('Differs');
  await expect(rows.filter({ hasText: 'Passport expiry date' })).toContainText('Differs');
  await expectAccessible(page);
});
