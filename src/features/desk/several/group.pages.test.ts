import { beforeAll, describe, expect, test } from 'vitest';
import {
  applicationById,
  applicationEvents,
  type Application,
} from '~/features/application/store.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { NOW } from '~/features/visa/testing/sample-answers.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { decideApplication } from '../application/decide.server.ts';
import { openGroup, type OpenGroup } from './open-group.server.ts';
import { claimApplication, claimHolder } from '../application/claim.server.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { needed } from '../../../../test/needed.ts';
import { makePayment, makeOrder, seedSales, type Traveller } from '../../../../test/make.ts';

const platform = await makeTestPlatform({ now: NOW });
const { db } = platform;
const app = makeTestApp(platform);
const aydin = await storeStaff(platform, { name: 'E. Aydın' });
const kaya = await storeStaff(platform, { name: 'M. Kaya' });

beforeAll(() => seedSales(platform));

async function family(travellers: readonly Traveller[], { paid = true } = {}) {
  const { order, visas } = await makeOrder(platform, { travellers });
  if (paid) await makePayment(platform, order);
  return { order, visas, address: `/admin/orders/${order.number}` };
}

const three = [{ firstName: 'Anna' }, { firstName: 'Bela' }, { firstName: 'Carl' }];

const page = async (path: string) =>
  (await app.request(path, { headers: { cookie: aydin.cookie } })).text();

/** Sends the form of an order's travellers; `files` by number. */
async function send(
  address: string,
  intent: string,
  chosen: readonly Application[],
  fields: Record<string, string | File> = {},
) {
  const body = new FormData();
  body.set('intent', intent);
  for (const { number, status } of chosen) {
    body.append('chosen', number);
    body.set(`seen-${number}`, status);
  }
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  const headers = { cookie: aydin.cookie };
  const response = await app.request(address, { method: 'POST', headers, body });
  const html = await response.text();
  const from = html.indexOf('id="group"');
  const section = html.slice(from, html.indexOf('<table', from));
  return {
    status: response.status,
    text: section.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '),
    html,
  };
}

/** Numbers of the travellers that a page has selected. */
const chosenIn = (html: string) =>
  [...html.matchAll(/<input(?=[^>]*name="chosen")(?=[^>]*checked="")[^>]*value="([^"]+)"/g)].map(
    ([, number]) => number,
  );

const statusOf = async ({ id }: Application) => needed(await applicationById(db, id)).status;
const passportOf = ({ firstName }: Application, index: number) =>
  `P${firstName.toUpperCase()}${index}`;

describe('the travellers of an order at the desk', () => {
  test('stand side by side, each with what is to be looked at, and looking is written down for each', async () => {
    const { visas, address } = await family([
      { firstName: 'Anna' },
      { firstName: 'Bela', plan: '30-days', email: 'bela@example.org' },
      { firstName: 'Carl' },
    ]);
    const [anna, bela] = visas;
    await claimApplication(platform, kaya, needed(anna).id);
    const html = await page(address);
    expect(html).toContain('3 travellers side by side');
    for (const visa of visas) {
      expect(html).toMatch(new RegExp(`name="chosen"[^>]*checked=""[^>]*value="${visa.number}"`));
      const trail = await auditEntriesBySubject(db, { kind: 'application', id: visa.id });
      expect(trail.map(({ action }) => action)).toContain('application_viewed');
    }
    expect(html).toMatch(/M\. Kaya, until \d\d:\d\d/);
    expect(html.match(/No one/g)).toHaveLength(2);
    await claimApplication(platform, aydin, needed(bela).id);
    expect(await page(address)).toMatch(/You, until \d\d:\d\d/);
    expect(html.match(/Different from the others/g)).toHaveLength(1);
    expect(html).not.toContain(passportOf(needed(bela), 1));
  });

  test('are not shown for one person’s order', async () => {
    const { address } = await family([{ firstName: 'Dora', plan: '30-days' }]);
    expect(await page(address)).not.toContain('id="group"');
  });

  test('are rejected with one reason, and told who was first where somebody was', async () => {
    const { order, visas, address } = await family(three);
    const [anna, bela, carl] = visas.map((one) => needed(one));
    if (!anna || !bela || !carl) throw new Error('Nobody');
    await decideApplication(platform, kaya, { kind: 'start_processing', applicationId: bela.id });
    const { status, text } = await send(address, 'reject_chosen', [anna, bela], {
      reasonCode: 'purpose_not_covered',
    });
    expect(status).toBe(200);
    expect(text).toMatch(/Done: 1 of 2.*Anna.*Rejected\. Email queued\./);
    expect(text).toMatch(/Bela.*M\. Kaya has already changed the status/);
    expect(await Promise.all(visas.map(statusOf))).toEqual(['rejected', 'processing', 'pending']);
    expect((await orderByNumber(db, order.number))?.closedAt).toBeNull();
  });

  test('of an unpaid order leave it one by one, and the last one closes it', async () => {
    const { order, visas, address } = await family(three, { paid: false });
    const [anna] = visas;
    expect(await page(address)).not.toContain('name="documents"');
    const fields = { reasonCode: 'duplicate' };
    const { status } = await send(address, 'reject_chosen', [needed(anna)], fields);
    expect(status).toBe(200);
    expect((await orderByNumber(db, order.number))?.closedAt).toBeNull();
    expect(await page(address)).toContain('Rejected before payment and no longer in the order');
    await send(address, 'reject_chosen', visas.slice(1), fields);
    expect((await orderByNumber(db, order.number))?.closedAt).not.toBeNull();
  });

  test('are asked for a correction of what each of them has', async () => {
    const { visas, address } = await family(three);
    const [anna, bela, carl] = visas.map((one) => needed(one));
    if (!anna || !bela || !carl) throw new Error('Nobody');
    const { status, text } = await send(address, 'correct_chosen', [anna, carl], {
      'reopen-phone': 'yes',
      note: 'Nobody answers.',
    });
    expect({ status, text }).toMatchObject({ status: 200 });
    expect(text).toMatch(/Anna.*Correction requested.*Carl.*Correction requested/);
    const asked = await Promise.all(
      visas.map(
        async ({ id }) => (await applicationEvents(db, id)).at(-1)?.kind === 'correction_asked',
      ),
    );
    expect(asked).toEqual([true, false, true]);
  });

  test.each([
    ['nobody was chosen', 'reject_chosen', 0, {}, 'Select at least one traveller.'],
    ['no reason was given', 'reject_chosen', 3, {}, 'Choose a reason, or write your own.'],
  ])('keep what they are where %s', async (_, intent, count, fields, words) => {
    const { visas, address } = await family(three);
    const { status, text } = await send(address, intent, visas.slice(0, count), fields);
    expect(status).toBe(422);
    expect(text).toContain(words);
    expect(await Promise.all(visas.map(statusOf))).toEqual(['pending', 'pending', 'pending']);
  });

  test('keep a correction that names no field as it was typed, said once for all of them', async () => {
    const { visas, address } = await family(three);
    const { html, text } = await send(address, 'correct_chosen', visas.slice(0, 2), {
      note: 'The photo is dark.',
    });
    expect(text.match(/Select at least one field\./g)).toHaveLength(1);
    expect(html).toMatch(/<textarea[^>]*name="note"[^>]*>The photo is dark\./);
    expect(html).toContain('<title>Error: ');
    expect(chosenIn(html)).toEqual(visas.slice(0, 2).map(({ number }) => number));
  });

  test('keep what was typed for those who were refused, and select them alone', async () => {
    const { visas, address } = await family(three);
    const [, bela] = visas;
    await claimApplication(platform, kaya, needed(bela).id);
    const { status, html, text } = await send(address, 'correct_chosen', visas, {
      'reopen-phone': 'yes',
      note: 'Nobody answers.',
    });
    expect(status).toBe(200);
    expect(text).toMatch(/Anna.*Correction requested.*Bela.*M\. Kaya.*Carl.*Correction requested/);
    expect(html).toMatch(/<textarea[^>]*name="note"[^>]*>Nobody answers\./);
    expect(html).toMatch(/<input(?=[^>]*name="reopen-phone")(?=[^>]*checked="")[^>]*>/);
    expect(chosenIn(html)).toEqual([bela?.number]);
  });

  test('are the work of whoever asks for a correction, and left to who works on them', async () => {
    const { visas, address } = await family(three);
    const [anna, bela, carl] = visas.map((one) => needed(one));
    if (!anna || !bela || !carl) throw new Error('Nobody');
    await claimApplication(platform, kaya, anna.id);
    await send(address, 'correct_chosen', [bela], { 'reopen-phone': 'yes', note: 'No answer.' });
    const holders = await Promise.all(visas.map(({ id }) => claimHolder(platform, aydin, id)));
    expect(holders.map((holder) => holder && holder.name)).toEqual(['M. Kaya', null, null]);
    const { text } = await send(address, 'reject_chosen', [anna, carl], {
      reasonCode: 'duplicate',
    });
    expect(text).toMatch(/Anna.*M\. Kaya is working on.*Carl.*Rejected/);
    expect(await Promise.all(visas.map(statusOf))).toEqual(['pending', 'pending', 'rejected']);
  });

  test('are untouched by the return key, and by numbers of another order', async () => {
    const { visas, address } = await family(three);
    expect((await send(address, 'choose', visas)).status).toBe(200);
    const stranger = await family([{ firstName: 'Emil' }, { firstName: 'Frida' }]);
    const fields = { reasonCode: 'duplicate' };
    expect((await send(address, 'reject_chosen', stranger.visas, fields)).status).toBe(422);
    expect(await Promise.all([...visas, ...stranger.visas].map(statusOf))).toEqual(
      Array(5).fill('pending'),
    );
  });

  test('are kept up to date on an open page, which records a view where something changed', async () => {
    const { order, visas } = await family(three);
    const [anna, bela] = visas.map((one) => needed(one));
    if (!anna || !bela) throw new Error('Nobody');
    const paid = needed(await orderByNumber(db, order.number));
    const shown = await openGroup(platform, aydin, paid, 'en');
    const ask = async (mark: string) => {
      const headers = { cookie: aydin.cookie };
      const path = `/admin/live?order=${order.number}&mark=${mark}`;
      const answer: { group: OpenGroup | null } = await (
        await app.request(path, { headers })
      ).json();
      return answer.group;
    };
    const views = async () =>
      (await auditEntriesBySubject(db, { kind: 'application', id: bela.id })).filter(
        ({ action }) => action === 'application_viewed',
      ).length;
    expect(await ask(shown?.mark ?? '')).toBeNull();
    const before = await views();
    await claimApplication(platform, kaya, anna.id);
    const claimed = await ask(shown?.mark ?? '');
    expect(claimed?.view.travellers.map(({ holder }) => holder?.name ?? null)).toEqual([
      'M. Kaya',
      null,
      null,
    ]);
    expect(await views()).toBe(before + 1);
    // That a claim lasts longer is no news.
    await claimApplication(platform, kaya, anna.id);
    expect(await ask(claimed?.mark ?? '')).toBeNull();
    await decideApplication(platform, kaya, { kind: 'start_processing', applicationId: bela.id });
    const moved = await ask(claimed?.mark ?? '');
    expect(moved?.view.travellers.map(({ visa }) => visa.status)).toEqual([
      'pending',
      'processing',
      'pending',
    ]);
  });

  test('lead to one another from each one’s own page', async () => {
    const { order, visas } = await family(three);
    const [anna, bela, carl] = visas.map(({ number }) => number);
    const middle = await page(`/admin/applications/${bela}`);
    expect(middle).toContain('Traveller 2 of 3');
    expect(middle).toMatch(
      new RegExp(
        `href="/admin/applications/${anna}#application"[^>]*rel="prev"|rel="prev"[^>]*href="/admin/applications/${anna}#application"`,
      ),
    );
    expect(middle).toMatch(
      new RegExp(
        `href="/admin/applications/${carl}#application"[^>]*rel="next"|rel="next"[^>]*href="/admin/applications/${carl}#application"`,
      ),
    );
    expect(middle).toContain(`href="/admin/orders/${order.number}#group"`);
    expect(await page(`/admin/applications/${anna}`)).not.toContain('rel="prev"');
    const alone = await family([{ firstName: 'Gina' }]);
    expect(await page(`/admin/applications/${alone.visas[0]?.number}`)).not.toContain(
      'Traveller 1',
    );
  });
});
