import { describe, expect, it, beforeAll } from 'vitest';
import { application } from '~/features/application/tables.server.ts';
import {
  cancelInsurance,
  issueCertificate,
  insuranceJobs,
} from '../certificate/certificate-job.server.ts';
import { SEND_JOB } from '~/features/email/ledger/store.server.ts';
import { makeVerifyCode } from '../store/store.server.ts';
import { adultForm as answers, formRequest as form } from '../testing/visit.ts';
import { formVisits } from '../testing/form-visits.ts';
import { makeInsurance } from '../../../../test/make.ts';
import { eq } from 'drizzle-orm';
import { seedAll, seedCatalog } from '~/features/catalog/seed.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { newBrowser } from '../../../../test/browser.ts';
import { purchases } from '../../../../test/purchases.ts';
import { startTestService } from '../../../../test/service.ts';
import { seedInsurance } from '../store/seed.server.ts';

const { browser, platform, radio, rows, submit, summaryOf } = await formVisits();

describe('the insurance page', () => {
  it.each(['/insurance', '/insurance-simple'])(
    '%s shows seven plans and sample terms',
    async (path) => {
      const { response, html } = await browser()(path);
      expect(response.status).toBe(200);
      for (const price of [
        '$114.00',
        '$149.00',
        '$189.00',
        '$249.00',
        '$299.00',
        '$399.00',
        '$549.00',
      ])
        expect(html).toContain(price);
      expect(html).toContain('Sample Insurer');
      expect(html).toMatch(/href="[^"]*\/insurance\/terms\/1"/);
      expect(html).toContain('Emergency medical treatment');
      expect(html).not.toMatch(/<input[^>]*name="productId"[^>]*checked/);
      expect(html).toMatch(/enctype="multipart\/form-data"/i);
      expect(html).toMatch(/Destination<\/p>(<[^>]*>)*Türkiye/);
      expect(html).not.toContain('name="destination"');
    },
  );

  it.each(['MEX', 'mex', 'Mexico'])('fills in the nationality of ?country=%s', async (country) => {
    const { html } = await browser()(`/insurance?country=${country}`);
    expect(html).toMatch(/<option value="MEX" selected="">/);
  });

  it('takes a single name in both places where the box says that the passport shows one', async () => {
    const visit = browser();
    const sent = { ...answers, lastName: 'Suharto', firstName: '', oneName: 'yes', intent: 'next' };
    const { location } = await visit('/insurance', form(sent));
    expect(location).toBe('/insurance/review');
    expect((await visit('/insurance')).html).toMatch(/<input(?=[^>]*name="oneName")[^>]*checked/);
  });

  it('is for Türkiye whatever a form says', async () => {
    const visit = browser();
    await visit('/insurance', form({ ...answers, destination: 'France', intent: 'next' }));
    const { html } = await visit('/insurance/review');
    expect(html).toMatch(/Destination<\/dt>(<[^>]*>)*Türkiye/);
    expect(html).not.toContain('France<');
  });

  it.each([
    ['IND', 'Without a supporting document you need a visa from a Turkish consulate'],
    ['EGY', 'Under 15 or over 45: you can get the e-visa without a supporting document'],
    ['EGY', 'From 15 to 45 years of age you cannot get an e-visa without a supporting document'],
  ])('says what %s needs without a supporting document', async (country, words) => {
    const { html } = await browser()(`/insurance?country=${country}&undocumented=1`);
    expect(html).toContain(words);
    expect(html).toContain('Insurance does not replace a visa.');
    expect((await browser()(`/insurance?country=${country}`)).html).not.toContain(words);
  });

  it('says that no visa is needed at an age, where it is so', async () => {
    const words = 'At that age you do not need a visa';
    const libyan = (await browser()('/insurance?country=LBY&exempt=1')).html;
    expect(libyan).toContain(words);
    expect(libyan).not.toContain('Insurance does not replace a visa.');
    expect((await browser()('/insurance?country=EGY&exempt=1')).html).not.toContain(words);
  });

  it('does not send an Egyptian to a consulate', async () => {
    const { html } = await browser()('/insurance?country=EGY&undocumented=1');
    expect(html).not.toContain('Turkish consulate');
  });

  it('says that the draft of the page is gone, and keeps what was sent', async () => {
    const visit = browser();
    await visit('/insurance', form({ ...answers, intent: 'quote' }));
    const { html } = await visit('/insurance');
    const version = /name="version"[^>]*value="(\d+)"/.exec(html)?.[1] ?? '';
    visit.deleteCookies();
    const gone = await visit('/insurance', form({ ...answers, version }));
    expect(gone.response.status).toBe(409);
    expect(gone.html).toContain('This application is no longer open on this device');
    expect(gone.html).toContain('value="Hernández Ruiz"');
    expect((await visit('/insurance')).html).not.toContain('no longer open on this device');
    expect((await visit('/insurance', form(answers))).location).toBe('/insurance/review');
    visit.deleteCookies();
    const { location } = await visit('/insurance/review', form({ intent: 'pay' }));
    expect(location).toBe('/insurance?gone=yes');
    expect((await visit(location)).html).toContain('no longer open on this device');
  });

  it('ignores a country that is none', async () => {
    const { html } = await browser()('/insurance?country=%3Cscript%3E');
    expect(html).toMatch(/<option value="" selected="">/);
  });

  it('chooses the shortest plan for the dates, and says why a shorter one does not fit', async () => {
    const visit = browser();
    const opened = await visit('/insurance');
    const intent = /<noscript><button[^>]* value="([^"]*)"/.exec(opened.html)?.[1] ?? '';
    const { location } = await visit('/insurance', form({ ...answers, productId: '', intent }));
    expect(location).toBe('/insurance#productId');
    const { html } = await visit('/insurance');
    expect(radio(html, '14-days')).toContain('checked');
    expect(radio(html, '7-days')).toContain('disabled');
    expect(html).toContain('Too short: your trip is 10 days long');
    expect(html).toMatch(/Total<\/[^>]*>(<[^>]*>)*\$149\.00/);
    expect(html).toContain('value="Hernández Ruiz"');
  });

  it('follows new dates down in price without scripts, says so, and stores nothing before that', async () => {
    const visit = browser();
    const first = {
      ...answers,
      'returnDate-day': '21',
      'returnDate-month': '1',
      'returnDate-year': '2027',
    };
    const sent = { ...first, productId: '', planShown: '', planWish: '' };
    await visit('/insurance', form({ ...sent, intent: 'quote' }));
    const page = await visit('/insurance');
    expect(radio(page.html, '60-days')).toContain('checked');
    const shown = { productId: '60-days', planShown: '60-days', planWish: '' };
    expect(page.html).toContain('name="planShown" value="60-days"');

    const pricesShown = /name="pricesShown" value="([^"]*)"/.exec(page.html)?.[1] ?? '';
    const before = await rows(application);
    const refused = await visit('/insurance', form({ ...answers, ...shown, pricesShown }));
    expect(refused.response.status).toBe(409);
    expect(refused.html).toContain('14 days for $149.00, instead of $249.00');
    expect(radio(refused.html, '14-days')).toContain('checked');
    expect(refused.html).toContain('name="planShown" value="14-days"');
    expect(await rows(application)).toBe(before);

    const asked = await visit('/insurance', form({ ...answers, ...shown, intent: 'quote' }));
    expect(asked.location).toBe('/insurance?before=60-days#travelDate');
    expect((await visit(asked.location)).html).toContain('14 days for $149.00, instead of $249.00');
  });

  it('keeps the plan that somebody chose, and says what would cost less', async () => {
    const visit = browser();
    const own = { productId: '30-days', planShown: '14-days', planWish: '' };
    await visit('/insurance', form({ ...answers, ...own, intent: 'quote' }));
    const { html } = await visit('/insurance');
    expect(radio(html, '30-days')).toContain('checked');
    expect(html).toContain('A cheaper plan also covers your trip: 14 days for $149.00');
  });

  it('says which answers are needed, without the browser’s own check', async () => {
    const { html } = await browser()('/insurance');
    const tag = (name: string) =>
      new RegExp(`<(?:input|select)[^>]* name="${name}"[^>]*>`).exec(html)?.[0];
    for (const name of ['nationality', 'lastName', 'travelDate-day', 'dateOfBirth-year', 'phone'])
      expect(tag(name)).toContain('aria-required="true"');
    expect(tag('placeOfBirth')).not.toContain('aria-required="true"');
    expect(html).not.toContain(' required=""');
  });

  it('lists all that is missing in the specification’s words, by name, as it stands on the page', async () => {
    const { response, html } = await browser()('/insurance', form({ intent: 'pay' }));
    expect(response.status).toBe(422);
    expect(html).toContain('<title>Error: Travel insurance');
    const listed = summaryOf(html);
    expect(listed).toEqual([
      ['travelDate', 'Travel date is required: enter your travel date'],
      ['returnDate', 'Return date is required: enter your return date'],
      ['productId', 'Which plan? Please select an insurance product'],
      ['nationality', 'Nationality is required: select your country'],
      ['lastName', 'Last name is required: enter your last name'],
      ['firstName', 'First name is required: please enter your first name'],
      ['passportNumber', 'Passport number is required: enter your passport number'],
      ['dateOfBirth', 'Date of birth: Birth Date Required. Enter your date of birth'],
      ['email', 'Email address: Email is required. Enter your email address'],
      ['phone', 'Phone number is required: enter your phone number'],
    ]);
    const places = listed.map(([field = '']) => html.indexOf(` id="${field}"`));
    expect(places.every((place) => place > 0)).toBe(true);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  it('stores the application, shows its number and leads to the payment', async () => {
    const visit = browser();
    const { response, location } = await submit(visit, form(answers));
    expect(response.status).toBe(303);
    expect(location).toMatch(/^\/insurance\/payment\?ref=TRI[0-9A-Z]{13}$/);
    const page = await visit(location);
    expect(page.html).toContain('data-testid="application-number"');
    expect(page.html).toContain('Pay $149.00');
    const paying = await visit(location, form({ scripts: 'no' }));
    expect(paying.location).toMatch(/^\/payment-cancel|^\/gpay-checkout\?data=/);
    // An unpaid application redirects to its payment.
    expect((await visit('/insurance')).location).toBe(location);
    expect((await visit('/insurance/review')).location).toBe(location);
  });

  it('makes one application of a review that is sent twice at once', async () => {
    const before = await rows(application);
    const visit = browser();
    await visit('/insurance', form({ ...answers, firstName: 'Twice' }));
    const press = () => visit('/insurance/review', form({ intent: 'pay' }));
    const [one, two] = await Promise.all([press(), press()]);
    expect(one.location).toMatch(/^\/insurance\/payment\?ref=TRI/);
    expect(one.location).toBe(two.location);
    expect(await rows(application)).toBe(before + 1);
  });

  it('speaks Arabic from right to left', async () => {
    const { html } = await browser()('/ar/insurance');
    expect(html).toContain('lang="ar" dir="rtl"');
  });
});

describe('the confirmation', () => {
  it('does not thank a child by name', async () => {
    const placed = await makeInsurance(platform, {
      dateOfBirth: '2015-03-01',
      firstName: 'Emma',
      paid: true,
    });
    const { html } = await browser()(`/payment-success?order=${placed.number}`);
    expect(html).toContain('Thank you. We’ve received your payment');
    expect(html).not.toContain('Thank you, Emma');
  });

  it('does not say that we have started once the certificate is there', async () => {
    const placed = await makeInsurance(platform, { paid: true });
    await issueCertificate(platform, { applicationId: placed.id });
    const { html } = await browser()(`/payment-success?order=${placed.number}`);
    expect(html).toContain('Thank you. Your certificate is ready');
    expect(html).not.toContain('We’ve started');
  });
});

describe('the page that checks a certificate', () => {
  const statusIn = (html: string) => /data-testid="status">([^<]*)</.exec(html)?.[1];

  it('says whether it is valid, with the initials and nothing more', async () => {
    const placed = await makeInsurance(platform, { paid: true });
    const path = `/verify/${makeVerifyCode(platform.sealer, placed.id)}`;
    expect((await browser()(path)).response.status).toBe(404);
    await platform.runJobs({ ...insuranceJobs(platform), [SEND_JOB]: async () => {} });
    const { response, html } = await browser()(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(statusIn(html)).toBe('Not yet');
    expect(html).toContain('S. H. R.');
    for (const secret of ['Sofía', 'Hernández', 'G38215640', placed.number, '2026-12', 'December'])
      expect(html).not.toContain(secret);

    platform.clock.set(new Date('2026-12-31T12:00:00Z'));
    expect(statusIn((await browser()(path)).html)).toBe('Valid');
    platform.clock.set(new Date('2027-01-10T21:30:00Z'));
    expect(statusIn((await browser()(path)).html)).toBe('Expired');
    await platform.db.transaction((tx) => cancelInsurance(tx, placed.id, platform.now()));
    expect(statusIn((await browser()(path)).html)).toBe('Cancelled');
    platform.clock.set(new Date('2026-11-23T10:00:00Z'));
  });

  it('knows no other code', async () => {
    const { response, html } = await browser()('/verify/AAAAAAAAAAAAAAAAAAAAAA');
    expect(response.status).toBe(404);
    expect(statusIn(html)).toBe('Unknown');
  });
});

describe('from visa', async () => {
  const service = await startTestService();
  const { platform, payments } = service;
  const app = makeTestApp(platform, payments);
  const { payer, place, start, pay, comeBack } = purchases(service);

  beforeAll(() => seedAll(platform.db, [seedCatalog, seedInsurance], platform.now()));

  async function page(path: string, cookie: string): Promise<string> {
    const html = await (await app.request(path, { headers: { cookie } })).text();
    return (html.split('<script id="page-data"')[0] ?? '').replaceAll('<!-- -->', '');
  }
  const valueOf = (html: string, name: string) => {
    const input = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(html)?.[0] ?? '';
    return /value="([^"]*)"/.exec(input)?.[1] ?? '';
  };

  it('the confirmation of an e-visa leads its payer to a form with nationality, names and first day, as an order of its own', async () => {
    const order = await place();
    await comeBack(await pay(await start(order)));
    const path = `/insurance?visa=${order.number}`;
    const confirmation = await page(`/payment-success?order=${order.number}`, payer.cookie);
    expect(confirmation).toContain(`href="${path}"`);
    const html = await page(path, payer.cookie);
    expect(valueOf(html, 'firstName')).toBe('Thabo');
    expect(valueOf(html, 'lastName')).toBe('Naidoo');
    expect(valueOf(html, 'travelDate-day')).toBe('12');
    expect(valueOf(html, 'travelDate-year')).toBe('2026');
    expect(html).toMatch(/<option(?=[^>]*value="ZAF")[^>]*selected|value="South Africa"/);
    for (const name of ['passportNumber', 'email', 'phone', 'dateOfBirth-year']) {
      expect(valueOf(html, name), name).toBe('');
    }
  });

  it('a single name is taken once, with its box', async () => {
    const { number } = await place();
    await platform.db
      .update(application)
      .set({ firstName: 'Suharto', lastName: 'Suharto' })
      .where(eq(application.orderNumber, number));
    const html = await page(`/insurance?visa=${number}`, payer.cookie);
    expect(valueOf(html, 'lastName')).toBe('Suharto');
    expect(valueOf(html, 'firstName')).toBe('');
    expect(html).toMatch(/<input(?=[^>]*name="oneName")[^>]*checked/);
  });

  it('shows nothing of an e-visa to browsers that only know its number', async () => {
    const { number } = await place();
    for (const cookie of ['', newBrowser(platform).cookie]) {
      const html = await page(`/insurance?visa=${number}`, cookie);
      expect(html).toContain('name="lastName"');
      expect(html).not.toMatch(/Thabo|Naidoo/);
      expect(valueOf(html, 'travelDate-day')).toBe('');
    }
  });

  it('is no reason to fail where the number is none, or an insurance’s', async () => {
    for (const visa of ['x', 'TRV7K2M9QXD4HPBX', '']) {
      expect(await page(`/insurance?visa=${visa}`, payer.cookie)).toContain('name="lastName"');
    }
  });
});
