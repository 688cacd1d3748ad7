import { createHash, randomInt } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test as base, type BrowserContext, type Page } from '@playwright/test';
import type axeCore from 'axe-core';
import PostalMime, { type Email } from 'postal-mime';
import { isThorough } from '../test/thorough.ts';

export { expect, isThorough, type Page };

const byte = () => randomInt(1, 255);

export const administrator = {
  email: 'first@lale.example',
  password: 'lantern quarry otter mist',
};

const randomAddress = () => ({ 'x-forwarded-for': `10.${byte()}.${byte()}.${byte()}` });

/** The network address of browsers that a journey opens beside its own. */
const otherBrowsers = randomAddress();

/**
 * Every journey has its own cookies and network address. It goes on in the page of the journey before it, emptied
 * (`reuseContext` in `playwright.config.ts`): a page of its own, with its process, takes three times as long as loading
 * ours.
 */
export const test = base.extend({
  // The same for all: with an option of its own, a journey would get a browser context of its own.
  extraHTTPHeaders: async ({ locale: _locale }, use) => use(otherBrowsers),
  context: async ({ context }, use, testInfo) => {
    await context.setExtraHTTPHeaders(randomAddress());
    await use(context);
    if (testInfo.status !== testInfo.expectedStatus)
      await Promise.all(context.pages().map(reportPage));
    await Promise.all(context.pages().map(emptyPage));
  },
});

/** Writes into the report which page a journey failed at, and how it begins. */
async function reportPage(page: Page): Promise<void> {
  const text = await page.locator('body').innerText({ timeout: 5000 }).catch(String);
  console.error(`${page.url()}: ${text.slice(0, 600)}`);
}

/** Empties what Playwright does not. A page that is on its way somewhere would interrupt the next journey: it is closed. */
async function emptyPage(page: Page): Promise<void> {
  try {
    if (page.url().startsWith('http')) await page.evaluate(() => sessionStorage.clear());
    await page.goto('about:blank');
  } catch {
    await page.close();
  }
}

/**
 * For `test.use`: with animations, as most people see pages; other journeys ask for reduced motion, which is faster.
 */
export const inMotion = { contextOptions: { reducedMotion: 'no-preference' } } as const;

/** Waits until React has hydrated the page, which it marks in its timeline; earlier key presses would be lost. */
export const scriptsRun = (page: Page) =>
  page.waitForFunction(() => performance.getEntriesByName('scripts-run').length > 0);

/** Presses Tab until an element of this selector has the focus. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  await page.locator(selector).first().waitFor({ state: 'attached' });
  for (let presses = 0; presses < 80; presses += 1) {
    if (await page.evaluate((one) => document.activeElement?.matches(one), selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${selector}`);
}

/** Tabs to a control and types into it. */
export async function typeInto(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, `[name="${name}"]`);
  await page.keyboard.type(text);
}

/** Signs in at the desk as an administrator. */
export async function signIn(page: Page): Promise<void> {
  await page.goto('/admin');
  await page.locator('[name="email"]').fill(administrator.email);
  await page.locator('[name="password"]').fill(administrator.password);
  await page.locator('main form button').first().click();
  await expect(page.getByRole('searchbox').first()).toBeVisible();
}

/** Gives a browser the session of a stored staff account, whose cookie this is. */
export async function addSession(
  context: BrowserContext,
  cookie: string,
  baseURL = '',
): Promise<void> {
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: baseURL }]);
}

/** A page as wide as the desk's screens, in a browser with such a session. */
export async function signedInPage(
  context: BrowserContext,
  cookie: string,
  baseURL?: string,
): Promise<Page> {
  await addSession(context, cookie, baseURL);
  const page = await context.newPage();
  await page.setViewportSize({ width: 1280, height: 900 });
  return page;
}

/** An email address that no other journey uses. */
export const newEmail = (name: string) => `${name}.${randomInt(1e9)}@traveller.example`;

/** A passport number that no other journey uses: two trips on one passport are possible duplicates. */
export const newPassport = (letter: string) => `${letter}${randomInt(1e7, 1e8)}`;

/** The emails to an address so far, oldest first. */
export async function readMail(address: string): Promise<Email[]> {
  const folder = join(process.env.E2E_DATA_DIR ?? '', 'mail');
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.eml'));
  } catch {
    return [];
  }
  // Only those are parsed that name the address somewhere: the folder holds the emails of all journeys.
  const files = names.sort().map((name) => readFileSync(join(folder, name)));
  const naming = files.filter((file) => file.includes(address));
  const mails = await Promise.all(naming.map((file) => PostalMime.parse(file)));
  return mails.filter((mail) => mail.to?.some((to) => to.address === address));
}

/** Waits for an email with this subject. */
export async function awaitMail(address: string, subject: RegExp): Promise<Email> {
  let found: Email | undefined;
  await expect(async () => {
    found = (await readMail(address)).find((mail) => subject.test(mail.subject ?? ''));
    expect(found, `an e-mail about ${subject} to ${address}`).toBeDefined();
    // Emails of decisions leave some seconds later.
  }).toPass({ timeout: 25_000 });
  if (!found) throw new Error('unreachable: toPass has found it');
  return found;
}

/** In ASCII, which is sent into a page in two thirds of the time. */
const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
).replace(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * What axe finds on this screen, with scripts on; every iframe is left out. axe is loaded into a page once, because its
 * half megabyte takes a quarter of the time of a check. `rules`: these alone.
 */
export async function findBarriers(
  page: Page,
  { rules }: { rules?: readonly string[] } = {},
): Promise<string[]> {
  if (!rules && !isThorough && (await wasChecked(page))) return [];
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  return page.evaluate(async (only) => {
    const axe: typeof axeCore = Reflect.get(window, 'axe');
    const { violations } = await axe.run(
      { exclude: ['iframe'] },
      {
        runOnly: only
          ? { type: 'rule', values: [...only] }
          : ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
        // Passed rules are not reported: collecting them took longer than checking.
        resultTypes: ['violations'],
      },
    );
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`,
    );
  }, rules ?? null);
}

/** Where both processes note the screens that axe has seen. */
const checkedScreens = join(process.env.E2E_DATA_DIR ?? '', 'checked-screens');

/**
 * Whether axe has seen the same screen in this run, in another journey: the same elements with the same attributes, but for
 * texts, addresses and ids, and empty where they were empty, at this width and in these colours.
 */
async function wasChecked(page: Page): Promise<boolean> {
  const screen = await page.evaluate(() => {
    const free =
      /^(id|for|href|src|value|content|name|title|aria-(label|describedby|labelledby|controls)|d|points)$/;
    const parts = [innerWidth, document.dir, matchMedia('(prefers-color-scheme: dark)').matches];
    const shape = [...document.querySelectorAll('*')].map((element) => {
      const attributes = [...element.attributes].map(({ name, value }) =>
        free.test(name) ? `${name}=${value === '' ? '' : '*'}` : `${name}=${value}`,
      );
      const isEmpty = element.children.length === 0 && !element.textContent.trim();
      return `${element.localName} ${attributes.join(' ')} ${isEmpty}`;
    });
    return [...parts, ...shape].join('\n');
  });
  const key = createHash('sha256').update(screen).digest('hex');
  mkdirSync(checkedScreens, { recursive: true });
  try {
    writeFileSync(join(checkedScreens, key), '', { flag: 'wx' });
    return false;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return true;
    throw error;
  }
}

export async function expectAccessible(page: Page): Promise<void> {
  expect(await findBarriers(page)).toEqual([]);
}

/** By how many px the page is wider than the screen. */
export const sidewaysScroll = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Nothing is wider than the screen. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
}

/** With the text size of the browser’s settings, in px; 16 is what browsers come with. */
export async function inTextSize(
  page: Page,
  size: number,
  check: () => Promise<void>,
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard: size } });
  await check();
  await session.send('Page.setFontSizes', { fontSizes: { standard: 16 } });
  await session.detach();
}

/** A date as the form asks it: the day and the month without a leading zero. */
export type DateParts = { day: string; month: string; year: string };

/** The date so many days from now, in UTC. */
export function day(fromToday: number): DateParts {
  const date = new Date(Date.now() + fromToday * 86_400_000);
  return {
    day: String(date.getUTCDate()),
    month: String(date.getUTCMonth() + 1),
    year: String(date.getUTCFullYear()),
  };
}

/** The date as calls and `input[type="date"]` write it: 2027-03-09. */
export const isoDate = ({ day: date, month, year }: DateParts): string =>
  `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;

export async function fillDate(page: Page, name: string, date: DateParts): Promise<void> {
  await page.locator(`[name="${name}-day"]`).fill(date.day);
  await page.locator(`[name="${name}-month"]`).fill(date.month);
  await page.locator(`[name="${name}-year"]`).fill(date.year);
}
