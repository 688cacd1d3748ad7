import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { applicationByNumber, applicationEvents } from '~/features/application/store.server.ts';
import { seedAll, seedCatalog } from '~/features/catalog/seed.server.ts';
import { linesByOrder, closeOrder, orderByApplication } from '~/features/order/store.server.ts';
import { attemptsByReference } from '~/features/payment/settlement/store.server.ts';
import { fileJobs } from '~/platform/files/files.server.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { deleteExpiredDraftsWithPhotos } from '~/features/insurance/form/draft-photos.server.ts';
import { photosByOwner } from '~/features/insurance/store/photo-store.server.ts';
import { seedInsurance } from '~/features/insurance/store/seed.server.ts';
import { readInsuranceDetails } from '~/features/insurance/store/store.server.ts';
import { adultForm, formRequest, visitor } from '~/features/insurance/testing/visit.ts';
import { NOW as SAMPLE_NOW } from '~/features/visa/testing/sample-answers.ts';
import { makeOrder } from '../../../test/make.ts';
import { needed } from '../../../test/needed.ts';

const platform = await makeTestPlatform();
const { db, sealer } = platform;
const app = makeTestApp(platform);
const browser = visitor(app);

beforeAll(() => seedAll(db, [seedCatalog, seedInsurance], platform.now()));

const drawn = sharp({ create: { width: 40, height: 30, channels: 3, background: '#8ab' } });
const jpeg = new Uint8Array(await drawn.jpeg().toBuffer());
const photo = (name: string) =>
  new File([jpeg, new TextEncoder().encode(name)], name, { type: 'image/jpeg' });
const child = { ...adultForm, 'dateOfBirth-year': '2012' };

/** A traveller who has submitted an insurance for $149 and is on its payment page. */
async function submitted(
  answers: Record<string, string> = adultForm,
  photos: readonly File[] = [],
) {
  const visit = browser();
  await visit('/insurance', formRequest(answers, photos));
  const { location } = await visit('/insurance/review', formRequest({ intent: 'pay' }));
  const number = location.replace('/insurance/payment?ref=', '');
  expect(number).toMatch(/^TRI\w+$/);
  const path = `/insurance/change?ref=${number}`;
  const reopen = () => visit(path, formRequest({ intent: 'change' }));
  const pay = (totalAmount: string) =>
    visit('/insurance/review', formRequest({ intent: 'pay', totalAmount }));
  return { visit, number, path, reopen, pay };
}

const stored = async (number: string) => needed(await applicationByNumber(db, number));
const orderOf = async (number: string) => needed(await orderByApplication(db, number));
const photosFor = async (number: string) =>
  photosByOwner(db, sealer, { applicationId: (await stored(number)).id });
const valueOf = (html: string, name: string) => {
  const input = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(html)?.[0] ?? '';
  return /value="([^"]*)"/.exec(input)?.[1];
};

/** Another name and a longer trip, with the plan for it. */
const changed = {
  ...adultForm,
  lastName: 'Castillo',
  'returnDate-day': '31',
  productId: '30-days',
};

describe('an unpaid insurance', () => {
  it('is offered to be changed at its payment, its status and its stopped payment', async () => {
    const { visit, number, path } = await submitted();
    const pages = [
      `/insurance/payment?ref=${number}`,
      `/status?ref=${number}`,
      `/payment-cancel?order=${number}`,
    ];
    for (const page of pages) expect((await visit(page)).html).toContain(`href="${path}"`);
    const { response, html } = await visit(path);
    expect(response.status).toBe(200);
    expect(html).toContain('Change your answers');
  });

  it('of somebody without an e-visa in a family is changed alone', async () => {
    platform.clock.set(SAMPLE_NOW);
    const travellers = [{ firstName: 'Anna' }, { firstName: 'Bea', plan: '7-days' }];
    const placed = await makeOrder(platform, { travellers, insured: ['Uwe'] });
    const { number } = needed(placed.insurances.get(3));
    const visit = browser();
    visit.takeCookie(placed.cookie);
    const path = `/insurance/change?ref=${number}`;
    expect((await visit(`/status?ref=${placed.order.number}`)).html).toContain(path);
    await visit(path, formRequest({ intent: 'change' }));
    const { location } = await visit('/insurance', formRequest(changed));
    expect(location).toBe('/insurance/review');
    const paid = { intent: 'pay', totalAmount: '189.00' };
    const sent = await visit('/insurance/review', formRequest(paid));
    expect(sent.location).toBe(`/insurance/payment?ref=${number}`);
    expect(await stored(number)).toMatchObject({ lastName: 'Castillo', amountMinor: 189_00 });
    // What the others cost stays as it was.
    const order = await orderOf(number);
    expect(order.amountMinor).toBe(94_00 + 94_00 + 114_00 + 189_00);
    // The page that pays for everybody changes this one's answers, too.
    const { html } = await visit(sent.location);
    const link = /href="([^"]*change\?ref=[^"]*)"/.exec(html)?.[1] ?? '';
    expect((await visit(link)).location).toBe(path);
    // The insurance beside an e-visa is changed with that.
    const beside = needed(placed.insurances.get(2)).number;
    expect((await visit(`/insurance/change?ref=${beside}`)).response.status).toBe(404);
    const { html: own } = await visit(`/application/change?ref=${beside}`);
    expect(own).toContain(`/status?ref=${needed(placed.visas[1]).number}`);
  });

  it('keeps a single name the same in both places', async () => {
    const single = { ...adultForm, lastName: 'Suharto', firstName: '', oneName: 'yes' };
    const { visit, number, reopen, pay } = await submitted(single);
    await reopen();
    const { html } = await visit('/insurance');
    expect(html).toMatch(/<input(?=[^>]*name="oneName")[^>]*checked/);
    await visit('/insurance', formRequest({ ...single, lastName: 'Soeharto' }));
    await pay('149.00');
    expect(await stored(number)).toMatchObject({ lastName: 'Soeharto', firstName: 'Soeharto' });
    expect(await orderOf(number)).toMatchObject({ customerName: 'Soeharto' });
  });

  it('is opened again with every answer, and stays as it was until it is submitted', async () => {
    const { visit, number, reopen } = await submitted();
    expect((await reopen()).location).toBe('/insurance');
    const { html } = await visit('/insurance');
    expect(html).toContain('You’re changing an application');
    for (const [name, value] of Object.entries({
      lastName: 'Hernández Ruiz',
      passportNumber: 'G38215640',
      'dateOfBirth-year': '1991',
      'travelDate-day': '12',
      email: 'sofia.hernandez@correo.example',
      phone: '+523312345678',
    })) {
      expect(valueOf(html, name), name).toBe(value);
    }
    expect(html).toMatch(/<input(?=[^>]*value="14-days")[^>]*checked/);
    await visit('/insurance', formRequest(changed));
    expect(await stored(number)).toMatchObject({ lastName: 'Hernández Ruiz', amountMinor: 149_00 });
  });

  it('is stored again under its number and order, at the new price', async () => {
    const { visit, number, reopen, pay } = await submitted();
    const before = await orderOf(number);
    await visit(`/insurance/payment?ref=${number}`, formRequest({ scripts: 'no' }));
    expect(await attemptsByReference(db, number)).toHaveLength(1);
    await reopen();
    await visit('/insurance', formRequest(changed));
    expect((await visit('/insurance/review')).html).toContain('$189.00');
    expect((await pay('189.00')).location).toBe(`/insurance/payment?ref=${number}`);
    const order = await orderOf(number);
    expect(order).toMatchObject({
      id: before.id,
      number,
      amountMinor: 189_00,
      customerName: 'Sofía Castillo',
    });
    expect(await linesByOrder(db, order.id)).toMatchObject([
      { applicationNumber: number, code: 'insurance_plan', detail: '30-days', amountMinor: 189_00 },
    ]);
    const application = await stored(number);
    expect(application).toMatchObject({
      lastName: 'Castillo',
      service: '30-days',
      amountMinor: 189_00,
      status: 'pending',
    });
    expect(await readInsuranceDetails(db, sealer, application.id)).toMatchObject({
      returnDate: '2026-12-31',
      planDays: 30,
      coverUntil: '2027-01-10',
      passportNumber: 'G38215640',
    });
    const events = await applicationEvents(db, application.id);
    expect(events.map(({ kind }) => kind)).toEqual(['submitted', 'changed']);
    const [old] = await attemptsByReference(db, number);
    expect(old?.supersededAt).not.toBeNull();
  });

  it('is not stored at a price that the page did not show, nor by a page without its answers', async () => {
    const { visit, number, reopen, pay } = await submitted();
    await reopen();
    await visit('/insurance', formRequest(changed));
    expect((await pay('149.00')).response.status).toBe(409);
    const old = await visit('/insurance/review', formRequest({ intent: 'pay' }));
    expect(old.location).toBe('/insurance/review');
    expect(await stored(number)).toMatchObject({ service: '14-days', amountMinor: 149_00 });
  });
});

describe('photos of a parent’s ID', () => {
  it('stay with the application while it is changed, also when the form is given up', async () => {
    const { visit, number, reopen } = await submitted(child, [photo('id.jpg')]);
    const [kept] = await photosFor(number);
    await reopen();
    const { html } = await visit('/insurance');
    expect(html).toContain(`/insurance/photos/${kept?.id}`);
    expect(html).not.toContain(`remove:${kept?.id}`);
    expect((await visit(`/insurance/photos/${kept?.id}`)).response.status).toBe(200);
    expect((await browser()(`/insurance/photos/${kept?.id}`)).response.status).toBe(404);
    await visit('/insurance', formRequest({ ...child, intent: `remove_photo:${kept?.id}` }));
    const later = { ...platform, now: () => new Date(platform.now().getTime() + 31 * 86_400_000) };
    await deleteExpiredDraftsWithPhotos(later);
    expect(await photosFor(number)).toMatchObject([{ id: kept?.id }]);
  });

  it('need not be sent again, and get others beside them', async () => {
    const { visit, number, reopen, pay } = await submitted(child, [photo('id.jpg')]);
    await reopen();
    const renamed = { ...child, lastName: 'Castillo' };
    await visit('/insurance', formRequest(renamed, [photo('back.jpg')]));
    expect((await pay('149.00')).location).toBe(`/insurance/payment?ref=${number}`);
    expect(await stored(number)).toMatchObject({ lastName: 'Castillo' });
    expect((await photosFor(number)).map(({ name }) => name)).toEqual(['id.jpg', 'back.jpg']);
  });

  it('are deleted with their files once the traveller turns out to be of age', async () => {
    const { visit, number, reopen, pay } = await submitted(child, [photo('id.jpg')]);
    const [kept] = await photosFor(number);
    expect(await platform.files.read(needed(kept).fileId)).toBeDefined();
    await reopen();
    await visit('/insurance', formRequest(adultForm));
    await pay('149.00');
    expect(await photosFor(number)).toEqual([]);
    await platform.runJobs(fileJobs(platform));
    expect(await platform.files.read(needed(kept).fileId)).toBeUndefined();
    const { id } = await stored(number);
    expect(await readInsuranceDetails(db, sealer, id)).toMatchObject({ isMinor: false });
  });
});

describe('an insurance that cannot be changed', () => {
  it('belongs to another browser: nothing of it is shown', async () => {
    const { path } = await submitted();
    const stranger = browser();
    const { response, html } = await stranger(path);
    expect(response.status).toBe(403);
    expect(html).not.toContain('Hernández');
    await stranger(path, formRequest({ intent: 'change' }));
    expect((await stranger('/insurance')).html).not.toContain('Hernández');
    const payment = await stranger(path.replace('change', 'payment'));
    expect(payment.html).not.toContain(`href="${path}"`);
  });

  it('is closed: before it is opened, and before what was changed is stored', async () => {
    const close = (number: string) =>
      db.transaction((tx) => closeOrder(tx, number, platform.now()));
    const early = await submitted();
    await close(early.number);
    expect((await early.visit(early.path)).response.status).toBe(409);
    await early.reopen();
    expect((await early.visit('/insurance')).html).not.toContain('Hernández');

    const late = await submitted();
    await late.reopen();
    await late.visit('/insurance', formRequest(changed));
    await close(late.number);
    expect((await late.pay('189.00')).location).toBe(late.path);
    expect((await late.visit('/insurance/review')).location).toBe(late.path);
    expect(await stored(late.number)).toMatchObject({ lastName: 'Hernández Ruiz' });
  });
});
