import { describe, expect, test } from 'vitest';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { makeApplication } from '../../../../test/make.ts';

const platform = await makeTestPlatform();
const app = makeTestApp(platform);
const { cookie } = await storeStaff(platform, { role: 'administrator' });
const application = await makeApplication(platform);

const open = async (path: string) =>
  (await app.request(path, { headers: { cookie, accept: 'text/html' } })).text();

/** The control with this name, and whether it shows an error. */
function controlOf(html: string, name: string) {
  const tag = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(html)?.[0] ?? '';
  return {
    type: /type="([^"]*)"/.exec(tag)?.[1],
    value: /value="([^"]*)"/.exec(tag)?.[1] ?? '',
    isWrong: tag.includes('aria-invalid="true"') && html.includes(`id="${name}-error"`),
  };
}

const filters: [string, string][] = [
  ['/admin', 'from'],
  ['/admin', 'to'],
  ['/admin/payments', 'day'],
  ['/admin/audit', 'day'],
  ['/admin/figures', 'from'],
  ['/admin/figures', 'to'],
];

describe.each(filters)('%s by %s', (path, name) => {
  test('understands a typed day, the day before the month', async () => {
    const query = new URLSearchParams({ [name]: '22/11/2026' });
    expect(controlOf(await open(`/tr${path}?${query}`), name)).toEqual({
      type: 'text',
      value: '22 Kas 2026',
      isWrong: false,
    });
  });

  test('keeps a text that is no day, with an error at it', async () => {
    const query = new URLSearchParams({ [name]: '11/22/2026' });
    const html = await open(`/en${path}?${query}`);
    expect(controlOf(html, name)).toEqual({ type: 'text', value: '11/22/2026', isWrong: true });
    expect(html).toContain('Enter a date, for example 22 Nov 2026');
    if (path === '/admin') expect(html).toMatch(/<details[^>]*data-testid="filters"[^>]*open/);
  });
});

describe('the moment of a refund’s request', () => {
  const panel = (typed: string) =>
    open(
      `/en/admin/orders/${application.orderNumber}?${new URLSearchParams({ cause: 'cancelled', asked: typed, app: application.number })}`,
    );

  test('is kept as typed where it is none, with what is wrong beside it', async () => {
    const html = await panel('22.11.2026');
    expect(controlOf(html, 'asked')).toEqual({ type: 'text', value: '22.11.2026', isWrong: true });
    expect(html).toContain('Enter a date and time, for example 22 Nov 2026, 14:30.');
    expect(html).not.toContain('name="note"');
  });

  test('before the payment is refused beside it', async () => {
    const html = await panel('1 Jan 2020, 10:00');
    expect(controlOf(html, 'asked')).toMatchObject({ value: '1 Jan 2020, 10:00', isWrong: true });
    expect(html).toContain('must have been received after the payment');
  });

  test('begins with now, in words and UTC', async () => {
    const html = await open(`/en/admin/orders/${application.orderNumber}`);
    expect(controlOf(html, 'asked').value).toMatch(/^\d{1,2} \w{3} \d{4}, \d\d:\d\d$/);
    expect(html).toContain('Request received (UTC)');
  });
});
