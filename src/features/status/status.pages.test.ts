import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '~/base/dates/dates.ts';
import { makeNumber, prefixes } from '~/features/application/number.ts';
import { changeStatus } from '~/features/application/store.server.ts';
import { unlimitedVisits } from '~/features/application/testing/result-visits.ts';
import { goodPdf } from '~/features/desk/application/testing/case-store.server.ts';
import { approve, makeApplication } from '../../../test/make.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { countCost } from '../../../test/statements/count-statements.ts';

const { page, platform, request } = await unlimitedVisits();
const statusIn = (html: string) => /data-testid="status">([^<]*)</.exec(html)?.[1];

describe('the status page', () => {
  it('is a form without a search, and can be kept by search engines', async () => {
    const { response, html } = await page('/status');
    expect(response.status).toBe(200);
    expect(html).toContain('<form');
    expect(html).toMatch(/method="get"/);
    expect(html).not.toContain('role="alert"');
    expect(html).not.toContain('noindex');
  });

  it.each([
    ['', 'Please enter your application number'],
    ['   ', 'Please enter your application number'],
    ['TRV12', 'Application number must be at least 6 characters long'],
    [
      'TRV7K2M9QXD4HPBX',
      'Application not found. Please check your application number and try again',
    ],
  ])('answers %j in the specification’s words', async (typed, message) => {
    const { html } = await page(`/status?ref=${encodeURIComponent(typed)}`);
    expect(html).toContain(message);
    expect(html).toContain('role="alert"');
    expect(html).toMatch(/<title>Error: /);
  });

  it('only shows again what comes along into another language', async () => {
    const typed = await page('/de/status?kind=insurance&ref=TRI12&intent=language');
    expect(typed.html).toMatch(/name="ref"[^>]*value="TRI12"|value="TRI12"[^>]*name="ref"/);
    expect(typed.html).toMatch(/<input[^>]*checked=""[^>]*value="insurance"/);
    expect(typed.html).not.toContain('role="alert"');
    const untouched = await page('/de/status?kind=visa&ref=&intent=language');
    expect(untouched.response.headers.get('location')).toBe('/de/status');
  });

  it('takes along into another language what was typed, asks again what was refused, and leaves a result to its address', async () => {
    const application = await makeApplication(platform, { paid: false });
    const rowFor = (html: string) => /<(a|button)[^>]*lang="tr"[^>]*>/.exec(html)?.[0] ?? '';
    const fresh = rowFor((await page('/status')).html);
    expect(fresh).toContain('<button');
    expect(fresh).toContain('value="language"');
    const refused = rowFor((await page('/status?ref=TRV12')).html);
    expect(refused).toContain('formAction="/tr/status?ref=TRV12"');
    expect(refused).not.toContain('value="language"');
    const found = rowFor((await page(`/status?ref=${application.number}`)).html);
    expect(found).toContain(`href="/tr/status?ref=${application.number}"`);
  });

  it('tells a typing mistake from a number that nobody has', async () => {
    const application = await makeApplication(platform, { paid: false });
    const last = application.number.at(-1) === '0' ? '1' : '0';
    const mistyped = await page(`/status?ref=${application.number.slice(0, -1)}${last}`);
    expect(mistyped.html).toContain('One character may be wrong');
    const unknown = await page(`/status?ref=${makeNumber('TRV', randomBytes(12))}`);
    expect(unknown.response.status).toBe(404);
    expect(unknown.html).toContain('Application not found. Please check your application number');
    expect(unknown.html).toContain('does not match any application');
  });

  it('finds a number however it was typed, never caches it and shows no passport number', async () => {
    const application = await makeApplication(platform, { paid: false });
    const typed = ` ${application.number.toLowerCase().replace(/(.{4})/g, '$1-')} `;
    const { response, html } = await page(`/status?ref=${encodeURIComponent(typed)}`);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(statusIn(html)).toBe('Pending');
    expect(html).toContain('Thabo Naidoo');
    expect(html).toContain('12 December 2026');
    expect(html).toContain('$94.00');
    expect(html.replaceAll(/<[^>]*>/g, '')).toContain(application.number);
    expect(await (await request(`/status?ref=${application.number}`)).text()).not.toContain(
      'A01234547',
    );
  });

  it('offers Pay while the order is unpaid', async () => {
    const application = await makeApplication(platform, { paid: false });
    const { html } = await page(`/status?ref=${application.number}`);
    expect(html).toContain('Pay $94.00');
    expect(html).toContain('action="/pay"');
  });

  it('recognises an insurance number although the visa half is chosen', async () => {
    const application = await makeApplication(platform, {
      paid: false,
      kind: 'insurance',
      service: '14-days',
    });
    const { html } = await page(`/status?kind=visa&ref=${application.number}`);
    expect(statusIn(html)).toBe('Pending');
    expect(html).toContain('Travel date');
  });

  it('gives the reason of a rejection and offers no payment', async () => {
    const application = await makeApplication(platform, { paid: false });
    await platform.db.transaction((tx) =>
      changeStatus(tx, {
        id: application.id,
        from: 'pending',
        to: 'rejected',
        at: platform.now(),
        rejection: { code: 'details_differ', words: 'The passport photo page is missing.' },
        staffId: null,
      }),
    );
    const { html } = await page(`/status?ref=${application.number}`);
    expect(statusIn(html)).toBe('Rejected');
    expect(html).toContain('The passport photo page is missing.');
    expect(html).toContain('Some details in the application do not match the passport.');
    expect(html).toContain('Contact support');
    // There will be nothing to download.
    expect(html).not.toContain('Not available yet');
    // Nothing was paid, so the text does not mention refunds.
    expect(html).not.toContain('when we refund you');
    expect(html).not.toContain('action="/pay"');
    const arabic = await page(`/ar/status?ref=${application.number}`);
    expect(arabic.html).toContain('بعض البيانات في الطلب تختلف عن جواز السفر.');
    expect(arabic.html).toContain('The passport photo page is missing.');
  });

  it('says that the document follows when it is approved without one', async () => {
    const promisedAt = new Date(platform.now().getTime() + 5 * DAY_MS);
    const application = await makeApplication(platform, { promisedAt });
    await approve(platform, application);
    const { html } = await page(`/status?ref=${application.number}`);
    expect(statusIn(html)).toBe('Approved');
    expect(html).toContain('when you can download the document here.');
    // Nothing is early that is not there.
    expect(html).not.toContain('before the ready-by time');
    expect(html).not.toContain('Download e-visa');
  });

  it.each([null, 'DEU123456'])('names the supporting document that was used: %s', async (used) => {
    const application = await makeApplication(platform, { supportingDocumentNumber: used });
    await approve(platform, application, goodPdf());
    const { html } = await page(`/status?ref=${application.number}`);
    expect(html).toContain('At the border, you may also be asked for');
    expect(html.includes('Carry the visa or residence permit you used')).toBe(used !== null);
  });

  it('is laid out right to left in Arabic', async () => {
    const { html } = await page('/ar/status');
    expect(html).toContain('dir="rtl"');
  });
});

describe('the status calls', () => {
  it('answer the specification’s fields', async () => {
    const application = await makeApplication(platform, { paid: false });
    const response = await request(`/api/applications/${application.number}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const answer = await response.json();
    expect(answer).toMatchObject({
      applicationNumber: application.number,
      firstName: 'Thabo',
      lastName: 'Naidoo',
      createdAt: application.createdAt.toISOString(),
      arrivalDate: '2026-12-12',
      totalAmount: '94.00',
      currency: 'USD',
      paymentStatus: 'pending',
      processingType: 'standard',
      transactionId: null,
      status: 'pending',
      downloadAvailable: false,
      promisedAt: null,
    });
    expect(answer.timeline.map(({ name }: { name: string }) => name)).toEqual([
      'Application Submitted',
      'Under Review',
      'Processing',
      'Approved',
    ]);
    expect(JSON.stringify(answer)).not.toMatch(/A01234547|passport|1984-05-02|example\.org/);
  });

  it('name the travel date of an insurance, at its own address only', async () => {
    const application = await makeApplication(platform, {
      paid: false,
      kind: 'insurance',
      service: '14-days',
    });
    const answer = await request(`/api/insurance/applications/${application.number}`);
    expect(await answer.json()).toMatchObject({
      travelDate: '2026-12-12',
      processingType: '14-days',
    });
    const visa = await request(`/api/applications/${application.number}`);
    expect(visa.status).toBe(404);
  });

  it.each([
    ['TRV7K2M9QXD4HPBX', 422, 'mistyped_number'],
    ['hello-world', 422, 'mistyped_number'],
    ['TRV', 422, 'short_number'],
    ['%20', 422, 'empty_number'],
    [makeNumber('TRV', randomBytes(12)), 404, 'application_not_found'],
  ])('refuse %s', async (number, status, code) => {
    const response = await request(`/api/applications/${number}`);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect((await response.json()).code).toBe(code);
  });
});

describe('lookup limit', async () => {
  const platform = await makeTestPlatform({ variables: { TRUST_PROXY: 'yes' } });
  const app = makeTestApp(platform);
  const unknown = makeNumber(prefixes.visa, Buffer.alloc(12, 7));

  it('slows down an address that guesses numbers, on page and call alike, and nobody who knows them', async () => {
    const application = await makeApplication(platform, { paid: false });
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
    const look = (number: string, address = '192.0.2.1') =>
      app.request(`/api/applications/${number}`, from(address));
    const statuses = async (number: string, times: number) => {
      const all: number[] = [];
      for (let count = 0; count < times; count++) all.push((await look(number)).status);
      return all;
    };
    expect(new Set(await statuses(application.number, 70))).toEqual(new Set([200]));
    const guesses = await statuses(unknown, 70);
    expect(guesses.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 404));
    expect(new Set(guesses.slice(60))).toEqual(new Set([429]));
    // Whoever is over the limit costs no statement any more.
    const { answer: refused, cost } = await countCost(async () => look(application.number));
    expect(cost.statements).toEqual([]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await refused.json()).code).toBe('too_many_lookups');
    expect((await look(application.number, '192.0.2.2')).status).toBe(200);
    const page = await app.request(`/status?ref=${application.number}`, from('192.0.2.1'));
    expect(page.status).toBe(429);
    const html = await page.text();
    expect(html).toContain('Too many searches');
    expect(html).not.toContain('Naidoo');
  });
});
