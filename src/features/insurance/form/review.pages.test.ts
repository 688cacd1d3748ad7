import { describe, expect, it, beforeAll } from 'vitest';
import { application } from '~/features/application/tables.server.ts';
import { closeOrder } from '~/features/order/store.server.ts';
import { readResumeMail } from '~/features/form/draft/resume.server.ts';
import { draft } from '~/features/form/tables.server.ts';
import { insurancePhoto } from '../store/tables.server.ts';
import { deleteExpiredDraftsWithPhotos } from './draft-photos.server.ts';
import {
  adultForm as answers,
  formRequest as form,
  adultForm,
  formRequest,
  visitor,
} from '../testing/visit.ts';
import { formVisits } from '../testing/form-visits.ts';
import { makePayment, makeInsurance } from '../../../../test/make.ts';
import { seedAll, seedCatalog } from '~/features/catalog/seed.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { seedInsurance } from '../store/seed.server.ts';

const { born2012, browser, photo, platform, rows } = await formVisits();

describe('the review', () => {
  it('shows every answer with a way to change it, the price and what happens next', async () => {
    const visit = browser();
    expect((await visit('/insurance/review')).location).toBe('/insurance');
    await visit('/insurance', form(answers));
    const { html } = await visit('/insurance/review');
    for (const text of [
      '12 December 2026',
      '21 December 2026',
      '14 days, last insured day 25 December 2026',
      'Mexico',
      'HERNANDEZ RUIZ',
      'SOFIA',
      'G38215640',
      '14 July 1991',
      'sofia.hernandez<wbr/>@correo.example',
      'What happens next',
      'Pay $149.00',
      'href="/terms"',
      'Compare your answers with the passport before you pay',
    ])
      expect(html).toContain(text);
    expect(html).toMatch(/href="\/insurance\/terms\/\d+"[^>]*>insurer’s terms/);
    expect(html).toMatch(/<h2[^>]*>What happens next<\/h2>/);
    // Whoever pays has met the terms.
    expect(html.indexOf('By paying')).toBeGreaterThan(0);
    expect(html.indexOf('By paying')).toBeLessThan(html.indexOf('value="pay"'));
    // One link a section.
    for (const field of ['travelDate', 'nationality', 'email'])
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
    const refused = await visit('/insurance/review', form({ intent: 'pay', totalAmount: '99.00' }));
    expect(refused.response.status).toBe(409);
    expect(refused.html).toContain('from $99.00 to $149.00');
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
    // Nothing was submitted yet, so no problems are shown.
    expect(html).not.toContain('error-summary');
  });

  it('is not overwritten silently by another tab', async () => {
    const visit = browser();
    await visit('/insurance/keep', typing({ ...answers, lastName: 'First' }));
    await visit('/insurance/keep', typing({ ...answers, lastName: 'Second' }, 'b'));
    expect((await visit('/insurance')).html).toContain('value="First"');
    const refused = await visit('/insurance', typing({ ...answers, lastName: 'Second' }, 'b', '2'));
    expect(refused.response.status).toBe(409);
    expect(refused.html).toContain('This page was changed in another tab');
    expect(refused.html).toContain('<bdi>First</bdi>');
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
      "select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'form.resume_link' order by j.id desc limit 1",
    );
    const mail = readResumeMail(platform, jobs[0]?.payload);
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
    const [drafts, photos] = [await rows(draft), await rows(insurancePhoto)];
    expect(await deleteExpiredDraftsWithPhotos(platform)).toBe(0);
    platform.clock.advance(30 * 24 * 3600_000 + 1000);
    expect(await deleteExpiredDraftsWithPhotos(platform)).toBe(drafts);
    expect(await rows(insurancePhoto)).toBeLessThan(photos);
    expect((await visit('/insurance')).html).not.toContain('old.jpg');
    platform.clock.set(new Date('2026-11-23T10:00:00Z'));
  });
});

describe('the payment screen', () => {
  it('leads from a payment that did not happen back to the insurance form', async () => {
    const { number } = await makeInsurance(platform);
    const { html } = await browser()(`/payment-cancel?order=${number}`);
    expect(html).toContain(`href="/insurance/change?ref=${number}"`);
    expect(html).not.toContain('href="/application/change');
  });

  it('leads who has no number to the form, and who has paid to the confirmation', async () => {
    expect((await browser()('/insurance/payment')).location).toBe('/insurance');
    expect((await browser()('/insurance/payment?ref=TRI0000000000000')).location).toBe(
      '/insurance',
    );
    const placed = await makeInsurance(platform);
    const screen = `/insurance/payment?ref=${placed.number}`;
    expect((await browser()(screen)).response.status).toBe(200);
    await makePayment(platform, placed);
    expect((await browser()(screen)).location).toBe(`/payment-success?order=${placed.number}`);
  });

  it('leads who was rejected before paying to the status', async () => {
    const { number } = await makeInsurance(platform);
    await platform.db.transaction((tx) => closeOrder(tx, number, platform.now()));
    const { location } = await browser()(`/insurance/payment?ref=${number}`);
    expect(location).toBe(`/status?ref=${number}`);
  });
});

describe('payment screen', async () => {
  const platform = await makeTestPlatform();
  const app = makeTestApp(platform);
  const browser = visitor(app);

  beforeAll(() => seedAll(platform.db, [seedCatalog, seedInsurance], platform.now()));

  describe('"Insure another traveller" beside an unpaid application', () => {
    it('opens an empty form instead of leading back, and the next one has a number of its own', async () => {
      const visit = browser();
      const submit = async () => {
        await visit('/insurance', formRequest(adultForm));
        return (await visit('/insurance/review', formRequest({ intent: 'pay' }))).location;
      };
      const screen = await submit();
      expect(screen).toContain('/insurance/payment?ref=TRI');
      expect((await visit('/insurance')).location).toBe(screen);

      const { html } = await visit(screen);
      expect(html).toMatch(/<button(?=[^>]*name="intent")[^>]*value="another"/);
      const left = await visit(screen, formRequest({ intent: 'another' }));
      expect(left.response.status).toBe(303);
      expect(left.location).toBe('/insurance');

      const form = await visit('/insurance');
      expect(form.response.status).toBe(200);
      expect(form.html).not.toContain('Hernández');
      const next = await submit();
      expect(next).toContain('/insurance/payment?ref=TRI');
      expect(next).not.toBe(screen);
    });
  });
});
