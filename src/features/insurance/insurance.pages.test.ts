import { count } from 'drizzle-orm';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { application } from '~/features/application/tables.server.ts';
import { seedAll, seedCatalog } from '~/features/catalog/seed.server.ts';
import { closeOrder } from '~/features/order/store.server.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { cancelInsurance, issueCertificate } from './certificate-job.server.ts';
import { forgetInsuranceDrafts, insuranceLinks } from './draft.server.ts';
import { insuranceJobs } from './jobs.server.ts';
import { seedInsurance } from './seed.server.ts';
import { verifyCodeOf } from './store.server.ts';
import { insuranceDraft, insurancePhoto } from './tables.server.ts';
import { payInsurance, placeInsurance } from './testing/sample-insurance.server.ts';
import { filledIn as answers, sentForm as form, visitor } from './testing/visit.ts';

const platform = await makeTestPlatform();
const app = makeTestApp(platform);

beforeAll(() => seedAll(platform.db, [seedCatalog, seedInsurance], platform.now()));

const browser = visitor(app);
const born2012 = { 'dateOfBirth-year': '2012' };

async function photo(name: string, shade = '#8ab'): Promise<File> {
  const drawn = sharp({ create: { width: 40, height: 30, channels: 3, background: shade } });
  return new File([new Uint8Array(await drawn.jpeg().toBuffer())], name, { type: 'image/jpeg' });
}

type Visit = ReturnType<typeof browser>;

/** Fills the form in and goes on to the review, then presses its button. */
async function submit(visit: Visit, filled: RequestInit, path = '/insurance') {
  const sent = await visit(path, filled);
  expect(sent.location).toBe('/insurance/review');
  return visit('/insurance/review', form({ intent: 'pay' }));
}

const summaryOf = (html: string) =>
  [...html.matchAll(/<li><a href="#([\w-]+)">([^<]*)<\/a>/g)].map(([, field, text]) => [
    field,
    text,
  ]);
const radio = (html: string, plan: string) =>
  new RegExp(`<input[^>]*value="${plan}"[^>]*>`).exec(html)?.[0] ?? '';
const rows = async (table: typeof application | typeof insurancePhoto | typeof insuranceDraft) => {
  const [row] = await platform.db.select({ all: count() }).from(table);
  return row?.all ?? 0;
};

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
      expect(html).toMatch(
        /name="destination"[^>]*value="Turkey"|value="Turkey"[^>]*name="destination"/,
      );
    },
  );

  it.each(['MEX', 'mex', 'Mexico'])('fills in the nationality of ?country=%s', async (country) => {
    const { html } = await browser()(`/insurance?country=${country}`);
    expect(html).toMatch(/<option value="MEX" selected="">/);
  });

  it('ignores a country that is none', async () => {
    const { html } = await browser()('/insurance?country=%3Cscript%3E');
    expect(html).toMatch(/<option value="" selected="">/);
  });

  it('chooses the shortest plan for the dates, and says why a shorter one does not fit', async () => {
    const visit = browser();
    const { location } = await visit(
      '/insurance',
      form({ ...answers, productId: '', intent: 'quote' }),
    );
    expect(location).toBe('/insurance#productId');
    const { html } = await visit('/insurance');
    expect(radio(html, '14-days')).toContain('checked');
    expect(radio(html, '7-days')).toContain('disabled');
    expect(html).toContain('Too short: your trip takes 10 days');
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
    const told = await visit('/insurance', form({ ...answers, ...shown, pricesShown }));
    expect(told.response.status).toBe(409);
    expect(told.html).toContain('14 days for $149.00, instead of $249.00');
    expect(radio(told.html, '14-days')).toContain('checked');
    expect(told.html).toContain('name="planShown" value="14-days"');
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
    expect(html).toContain('You chose 30 days yourself');
    expect(html).toContain('14 days would also cover your trip, for $149.00');
  });

  it('names all that is missing at once, in the specification’s order and words', async () => {
    const { response, html } = await browser()('/insurance', form({ intent: 'pay' }));
    expect(response.status).toBe(422);
    expect(html).toContain('<title>Error: Travel insurance');
    expect(summaryOf(html)).toEqual([
      ['productId', 'Please select an insurance product'],
      ['firstName', 'First name is required: please enter your first name'],
      ['lastName', 'Last name is required: please enter your last name'],
      ['email', 'Email is required: please enter your email address'],
      ['phone', 'Phone number is required: enter your phone number'],
      ['passportNumber', 'Passport number is required: please enter your passport number'],
      ['nationality', 'Nationality is required: please choose your country'],
      ['travelDate', 'Travel date is required: enter your travel date'],
      ['returnDate', 'Return date is required: enter your return date'],
      ['dateOfBirth', 'Birth Date Required: please enter your date of birth'],
    ]);
    for (const [field = ''] of summaryOf(html)) expect(html).toContain(`id="${field}"`);
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
    // An unpaid application leads to its payment.
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
    const placed = await placeInsurance(platform, { dateOfBirth: '2015-03-01', firstName: 'Emma' });
    await payInsurance(platform, placed);
    const { html } = await browser()(`/payment-success?order=${placed.number}`);
    expect(html).toContain('Thank you. We have started.');
    expect(html).not.toContain('Thank you, Emma');
  });

  it('does not say that we have started once the certificate is there', async () => {
    const placed = await placeInsurance(platform);
    await payInsurance(platform, placed);
    await issueCertificate(platform, { applicationId: placed.id });
    const { html } = await browser()(`/payment-success?order=${placed.number}`);
    expect(html).toContain('Thank you. Your certificate is ready.');
    expect(html).not.toContain('We have started');
  });
});

describe('a traveller under 18', () => {
  it('is offered no kind of photo that would be refused', async () => {
    const { html } = await browser()('/insurance');
    expect(html).toContain('accept="image/jpeg,image/png,image/webp"');
  });

  it('is asked for a parent’s ID, in the specification’s words', async () => {
    const { html } = await browser()('/insurance', form({ ...answers, ...born2012 }));
    expect(summaryOf(html)).toEqual([
      ['parentIdPhotos', 'Parent ID Required: upload parent ID photos for under 18'],
    ]);
  });

  it('keeps a photo over an error and a repetition, and hands it over with the application', async () => {
    const visit = browser();
    const minor = { ...answers, ...born2012 };
    const mother = await photo('mother.jpg', '#135');
    const first = await visit('/insurance', form({ ...minor, phone: '' }, [mother]));
    expect(first.response.status).toBe(422);
    expect(summaryOf(first.html).map(([field]) => field)).toEqual(['phone']);
    expect(first.html).toContain('mother.jpg');
    expect(first.html).toContain('value="G38215640"');
    expect((await visit('/insurance')).html).toContain('mother.jpg');
    const before = await rows(insurancePhoto);
    const father = await photo('father.jpg', '#246');
    const done = await submit(visit, form(minor, [mother, father]));
    expect(done.location).toContain('/insurance/payment?ref=TRI');
    expect(await rows(insurancePhoto)).toBe(before + 1);
  });

  it('can take a photo back', async () => {
    const visit = browser();
    const sent = form({ ...answers, ...born2012, phone: '' }, [await photo('wrong.jpg')]);
    const { html } = await visit('/insurance', sent);
    const remove = /value="(remove:[\w-]+)"/.exec(html)?.[1] ?? '';
    const before = await rows(insurancePhoto);
    const { location } = await visit(
      '/insurance',
      form({ ...answers, ...born2012, intent: remove }),
    );
    expect(location).toBe('/insurance#parentIdPhotos');
    expect(await rows(insurancePhoto)).toBe(before - 1);
    expect((await visit('/insurance')).html).not.toContain('wrong.jpg');
  });

  it('is told which file is no photo, and the others are kept', async () => {
    const visit = browser();
    const pdf = new File(['%PDF-1.7 not a photo'], 'id.jpg', { type: 'image/jpeg' });
    const sent = form({ ...answers, ...born2012 }, [await photo('good.jpg'), pdf]);
    const before = await rows(application);
    const { response, html } = await visit('/insurance', sent);
    expect(response.status).toBe(422);
    expect(summaryOf(html)).toEqual([
      ['parentIdPhotos', 'id.jpg is not a photo we can take: please send a JPEG, PNG or WebP file'],
    ]);
    expect(html).toContain('good.jpg');
    expect(await rows(application)).toBe(before);
  });

  it('may send four photos', async () => {
    const five = await Promise.all([1, 2, 3, 4, 5].map((n) => photo(`${n}.jpg`, `#${n}${n}${n}`)));
    const { html } = await browser()('/insurance', form({ ...answers, ...born2012 }, five));
    expect(summaryOf(html)).toEqual([['parentIdPhotos', 'Too many photos: please send 4 at most']]);
  });
});

describe('the review', () => {
  it('shows every answer with a way to change it, the price and what happens next', async () => {
    const visit = browser();
    expect((await visit('/insurance/review')).location).toBe('/insurance');
    await visit('/insurance', form(answers));
    const { html } = await visit('/insurance/review');
    for (const said of [
      '12 December 2026',
      '21 December 2026',
      '14 days, insured until 25 December 2026',
      'Mexico',
      'HERNANDEZ RUIZ',
      'SOFIA',
      'G38215640',
      '14 July 1991',
      'sofia.hernandez@correo.example',
      'What happens next',
      'Pay $149.00',
      'href="/terms"',
    ])
      expect(html).toContain(said);
    for (const field of ['travelDate', 'productId', 'lastName', 'passportNumber', 'email'])
      expect(html).toContain(`href="/insurance#${field}"`);
  });

  it('leads back to an answer that is missing, and stores nothing', async () => {
    const visit = browser();
    await visit('/insurance', form({ ...answers, phone: '' }));
    const before = await rows(application);
    expect((await visit('/insurance/review')).location).toBe('/insurance#phone');
    const pressed = await visit('/insurance/review', form({ intent: 'pay' }));
    expect(pressed.location).toBe('/insurance#phone');
    expect(await rows(application)).toBe(before);
  });

  it('says a price that changed since, and stores nothing before that', async () => {
    const visit = browser();
    await visit('/insurance', form(answers));
    const before = await rows(application);
    const told = await visit('/insurance/review', form({ intent: 'pay', totalAmount: '99.00' }));
    expect(told.response.status).toBe(409);
    expect(told.html).toContain('from $99.00 to $149.00');
    expect(await rows(application)).toBe(before);
  });
});

describe('a draft', () => {
  const typing = (entries: Record<string, string>, page = 'a', turn = '1') =>
    form({ ...entries, page, version: '0', turn });

  it('keeps what is typed before any button is pressed, over a reload', async () => {
    const visit = browser();
    const kept = await visit('/insurance/keep', typing({ lastName: 'Hernández', productId: '' }));
    expect(kept.response.status).toBe(204);
    expect(kept.response.headers.getSetCookie()[0]).toMatch(/^lale_insurance=.*HttpOnly/);
    const { html } = await visit('/insurance');
    expect(html).toContain('value="Hernández"');
    // Nothing was sent yet: nothing is wrong yet.
    expect(html).not.toContain('error-summary');
  });

  it('is not overwritten silently by another tab', async () => {
    const visit = browser();
    await visit('/insurance/keep', typing({ ...answers, lastName: 'First' }));
    await visit('/insurance/keep', typing({ ...answers, lastName: 'Second' }, 'b'));
    expect((await visit('/insurance')).html).toContain('value="First"');
    const told = await visit('/insurance', typing({ ...answers, lastName: 'Second' }, 'b', '2'));
    expect(told.response.status).toBe(409);
    expect(told.html).toContain('This page was changed in another tab');
    expect(told.html).toContain('<bdi>First</bdi>');
    const again = await visit('/insurance', typing({ ...answers, lastName: 'Second' }, 'b', '3'));
    expect(again.location).toBe('/insurance/review');
  });

  it('is opened on another device by a link that works once, with its photos', async () => {
    const visit = browser();
    const sent = { ...answers, ...born2012, intent: 'later', saveEmail: '' };
    const refused = await visit('/insurance', form(sent, [await photo('mother.jpg', '#abc')]));
    expect(refused.response.status).toBe(422);
    expect(refused.html).toContain('id="saveEmail-error"');
    const saved = await visit('/insurance', form({ ...sent, saveEmail: 'sofia@correo.example' }));
    expect(saved.location).toBe('/insurance/saved');
    expect((await visit('/insurance/saved')).html).toContain('href="/insurance"');

    const { rows: jobs } = await platform.pool.query(
      "select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'insurance.resume_link' order by j.id desc limit 1",
    );
    const mail = insuranceLinks.mailOf(platform, jobs[0]?.payload);
    expect(mail.email).toBe('sofia@correo.example');
    const path = new URL(mail.url).pathname;
    const elsewhere = browser();
    expect((await elsewhere(path)).response.status).toBe(200);
    const opened = await elsewhere(path, form({}));
    expect(opened.location).toBe('/en/insurance');
    const { html } = await elsewhere('/insurance');
    expect(html).toContain('value="G38215640"');
    expect(html).toContain('mother.jpg');
    expect((await browser()(path, form({}))).response.status).toBe(410);
  });

  it('shows its photos to the browser that sent them alone', async () => {
    const visit = browser();
    const sent = { ...answers, ...born2012, intent: 'photos' };
    const { html } = await visit('/insurance', form(sent, [await photo('mother.jpg', '#cba')]));
    const [picture = ''] = /\/insurance\/photos\/[\w-]+/.exec(html) ?? [];
    const seen = await visit(picture);
    expect(seen.response.headers.get('content-type')).toBe('image/jpeg');
    expect(seen.response.headers.get('cache-control')).toBe('no-store');
    expect((await browser()(picture)).response.status).toBe(404);
    expect((await visit('/insurance/photos/none')).response.status).toBe(404);
  });

  it('is deleted with its photos after 30 days', async () => {
    const visit = browser();
    await visit(
      '/insurance',
      form({ ...answers, ...born2012, phone: '' }, [await photo('old.jpg')]),
    );
    const [drafts, photos] = [await rows(insuranceDraft), await rows(insurancePhoto)];
    expect(await forgetInsuranceDrafts(platform)).toBe(0);
    platform.clock.advance(30 * 24 * 3600_000 + 1000);
    expect(await forgetInsuranceDrafts(platform)).toBe(drafts);
    expect(await rows(insurancePhoto)).toBeLessThan(photos);
    expect((await visit('/insurance')).html).not.toContain('old.jpg');
    platform.clock.set(new Date('2026-11-23T10:00:00Z'));
  });
});

describe('the payment screen', () => {
  it('leads from a payment that did not happen back to the insurance form', async () => {
    const { number } = await placeInsurance(platform);
    const { html } = await browser()(`/payment-cancel?order=${number}`);
    expect(html).toContain(`href="/insurance/change?ref=${number}"`);
    expect(html).not.toContain('href="/application/change');
  });

  it('leads who has no number to the form, and who has paid to the confirmation', async () => {
    expect((await browser()('/insurance/payment')).location).toBe('/insurance');
    expect((await browser()('/insurance/payment?ref=TRI0000000000000')).location).toBe(
      '/insurance',
    );
    const placed = await placeInsurance(platform);
    const screen = `/insurance/payment?ref=${placed.number}`;
    expect((await browser()(screen)).response.status).toBe(200);
    await payInsurance(platform, placed);
    expect((await browser()(screen)).location).toBe(`/payment-success?order=${placed.number}`);
  });

  it('leads who was rejected before paying to the status', async () => {
    const { number } = await placeInsurance(platform);
    await platform.db.transaction((tx) => closeOrder(tx, number, platform.now()));
    const { location } = await browser()(`/insurance/payment?ref=${number}`);
    expect(location).toBe(`/status?ref=${number}`);
  });
});

describe('the page that checks a certificate', () => {
  const statusIn = (html: string) => /data-testid="status">([^<]*)</.exec(html)?.[1];

  it('says whether it is valid, with the initials and nothing more', async () => {
    const placed = await placeInsurance(platform);
    await payInsurance(platform, placed);
    const path = `/verify/${verifyCodeOf(platform.sealer, placed.id)}`;
    expect((await browser()(path)).response.status).toBe(404);
    await platform.runJobs({ ...insuranceJobs(platform), 'application.decided': async () => {} });
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
