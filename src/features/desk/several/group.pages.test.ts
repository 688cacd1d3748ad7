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
import { removeDraft } from '../application/draft.server.ts';
import { claimApplication, claimHolder } from '../application/claim.server.ts';
import { storeStaff, textPdf } from '../application/testing/case-store.server.ts';
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
  const section = html.slice(from, html.indexOf('id="traveller-1"', from));
  return {
    status: response.status,
    text: section.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '),
    html,
  };
}

/** The drafts that a page offers to send: by the names of their fields. */
const draftsIn = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input[^>]*name="(draft-[^"]+)"[^>]*value="([^"]+)"/g)].map(
      ([, name = '', id = '']) => [name, id],
    ),
  );

/** Numbers of the travellers that a page has selected. */
const chosenIn = (html: string) =>
  [...html.matchAll(/<input(?=[^>]*name="chosen")(?=[^>]*checked="")[^>]*value="([^"]+)"/g)].map(
    ([, number]) => number,
  );

/** Looks at the emails of a decision on several, then sends them. */
async function decideFor(...[address, intent, chosen, fields = {}]: Parameters<typeof send>) {
  const looked = await send(address, intent, chosen, fields);
  const drafts = draftsIn(looked.html);
  return { looked, drafts, sent: await send(address, 'send_chosen', [], drafts) };
}

const pdfFor = ({ firstName, lastName, dateOfBirth }: Application, passport: string) => {
  const lines = [lastName, firstName, dateOfBirth.split('-').toReversed().join('/'), passport];
  return new File([new Uint8Array(textPdf(lines))], 'visa.pdf', { type: 'application/pdf' });
};
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
      expect(html).toContain(`name="document-${visa.number}"`);
      const trail = await auditEntriesBySubject(db, { kind: 'application', id: visa.id });
      expect(trail.map(({ action }) => action)).toContain('application_viewed');
    }
    for (const name of ['Anna', 'Bela', 'Carl']) {
      expect(html).toMatch(
        new RegExp(`<label for="document-[^>]*><span[^>]*>Attach the e-visa for ${name}`),
      );
    }
    expect(html).not.toMatch(/<input[^>]*type="file"[^>]*aria-label|aria-label[^>]*type="file"/);
    expect(html).toMatch(/M\. Kaya, until \d\d:\d\d/);
    expect(html.match(/No one/g)).toHaveLength(2);
    await claimApplication(platform, aydin, needed(bela).id);
    expect(await page(address)).toMatch(/You, until \d\d:\d\d/);
    expect(html.match(/Different from the others/g)).toHaveLength(1);
    expect(html).not.toContain(passportOf(needed(bela), 1));
  });

  test('stand in columns that span at least the rows that have a label', async () => {
    const { address } = await family(three);
    const html = await page(address);
    const [, head = '', labels = ''] =
      /<div aria-hidden="true" class="([^"]*row-span[^"]*)">(.*?)<\/div>/.exec(html) ?? [];
    const span = Number(/row-span-(\d+)/.exec(head)?.[1]);
    expect(labels.match(/<p/g)?.length).toBeLessThanOrEqual(span);
    expect(html.match(new RegExp(`row-span-${span} `, 'g'))).toHaveLength(1 + three.length);
  });

  test('are told how much goes at once without scripts, where there may be more', async () => {
    const seven = ['Anna', 'Bela', 'Carl', 'Dora', 'Emil', 'Frida', 'Gina'];
    const { address } = await family(seven.map((firstName) => ({ firstName })));
    expect(await page(address)).toMatch(/<noscript>.*up to 27 MB of PDFs at once/);
    expect(await page((await family(three)).address)).not.toContain('27 MB');
  });

  test('are not shown for one person’s order', async () => {
    const { address } = await family([{ firstName: 'Dora', plan: '30-days' }]);
    expect(await page(address)).not.toContain('id="group"');
  });

  test('are approved together where each has a PDF of their own, once the emails were seen', async () => {
    // Nobody else has their passports, so that they are no possible duplicates.
    const { visas, address } = await family(
      three.map((one, index) => ({ ...one, passportNumber: `Q000000${index}` })),
    );
    const [anna, bela, carl] = visas.map((one) => needed(one));
    if (!anna || !bela || !carl) throw new Error('Nobody');
    const looked = await send(address, 'approve_chosen', visas, {
      [`document-${anna.number}`]: pdfFor(anna, 'Q0000000'),
      [`document-${bela.number}`]: pdfFor(anna, 'Q0000000'),
    });
    expect(looked.status).toBe(200);
    expect(looked.text).toContain('Not done for some of the selected travellers');
    expect(looked.text).toMatch(
      /Bela.*could not be matched with the application.*Compare the PDF and decide.*Carl.*no PDF was attached/,
    );
    expect(looked.text).toMatch(/Approve 1 traveller .*Nkosi, Anna.*To.*Subject.*See the email/);
    expect(await Promise.all(visas.map(statusOf))).toEqual(['pending', 'pending', 'pending']);
    const [, email = ''] =
      /href="(\/admin\/applications\/[^"]*\/decision\/[^"]*)"[^>]*target="_blank"/.exec(
        looked.html,
      ) ?? [];
    expect(await page(email)).toContain('This is what the traveller will get.');
    const sent = await send(address, 'send_chosen', [], draftsIn(looked.html));
    expect(sent.text).toMatch(/Anna.*Approved\. Email queued\./);
    expect(await Promise.all(visas.map(statusOf))).toEqual(['approved', 'pending', 'pending']);
    // Sent once more, by the back button.
    const again = await send(address, 'send_chosen', [], draftsIn(looked.html));
    expect(again.text).toContain('has already changed the status');
  });

  test('are not decided by drafts of somebody else', async () => {
    const { visas, address } = await family(three);
    const looked = await send(address, 'reject_chosen', visas, { reasonCode: 'duplicate' });
    const body = new FormData();
    body.set('intent', 'send_chosen');
    for (const [name, id] of Object.entries(draftsIn(looked.html))) body.set(name, id);
    expect([...body.keys()]).toHaveLength(4);
    await app.request(address, { method: 'POST', headers: { cookie: kaya.cookie }, body });
    expect(await Promise.all(visas.map(statusOf))).toEqual(['pending', 'pending', 'pending']);
  });

  test('whose PDF differs are decided on their own page, where the PDF waits', async () => {
    const { visas, address } = await family(three);
    const [anna, bela] = visas.map((one) => needed(one));
    if (!anna || !bela) throw new Error('Nobody');
    const { html } = await send(address, 'approve_chosen', [bela], {
      [`document-${bela.number}`]: pdfFor(anna, passportOf(anna, 0)),
    });
    const link = /href="(\/admin\/applications\/[^"]*\/decision\/[^"]*)"/.exec(html)?.[1] ?? '';
    expect(await page(link)).toContain('I have opened the PDF and it belongs to this traveller.');
  });

  test('are rejected with one reason, and told who was first where somebody was', async () => {
    const { order, visas, address } = await family(three);
    const [anna, bela, carl] = visas.map((one) => needed(one));
    if (!anna || !bela || !carl) throw new Error('Nobody');
    await decideApplication(platform, kaya, { kind: 'start_processing', applicationId: bela.id });
    const { looked, sent } = await decideFor(address, 'reject_chosen', [anna, bela], {
      reasonCode: 'purpose_not_covered',
    });
    expect(looked.status).toBe(200);
    expect(looked.text).toMatch(/Bela.*M\. Kaya has already changed the status/);
    expect(looked.text).toContain('Reject 1 traveller');
    expect(sent.text).toMatch(/Anna.*Rejected\. Email queued\./);
    expect(await Promise.all(visas.map(statusOf))).toEqual(['rejected', 'processing', 'pending']);
    expect((await orderByNumber(db, order.number))?.closedAt).toBeNull();
  });

  test('of an unpaid order leave it one by one, and the last one closes it', async () => {
    const { order, visas, address } = await family(three, { paid: false });
    const [anna] = visas;
    expect(await page(address)).not.toContain('value="approve_chosen"');
    const { sent } = await decideFor(address, 'reject_chosen', [needed(anna)], {
      reasonCode: 'duplicate',
    });
    expect(sent.status).toBe(200);
    expect((await orderByNumber(db, order.number))?.closedAt).toBeNull();
    expect(await page(address)).toContain('Rejected before payment and no longer in the order');
    await decideFor(address, 'reject_chosen', visas.slice(1), { reasonCode: 'duplicate' });
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
    ['nobody was chosen', 'approve_chosen', 0, {}, 'Select at least one traveller.'],
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

  test('are the work of whoever drafts a decision or asks for a correction', async () => {
    const { visas, address } = await family(three);
    const [anna, bela, carl] = visas.map((one) => needed(one));
    if (!anna || !bela || !carl) throw new Error('Nobody');
    await send(address, 'reject_chosen', [anna], { reasonCode: 'duplicate' });
    await send(address, 'correct_chosen', [bela], { 'reopen-phone': 'yes', note: 'No answer.' });
    const holders = await Promise.all(visas.map(({ id }) => claimHolder(platform, kaya, id)));
    expect(holders.map((holder) => holder?.name ?? null)).toEqual(['E. Aydın', 'E. Aydın', null]);
  });

  test('get no draft while somebody else works on them', async () => {
    const { visas, address } = await family(three);
    const [anna, bela] = visas.map((one) => needed(one));
    if (!anna || !bela) throw new Error('Nobody');
    await claimApplication(platform, kaya, anna.id);
    const { html, text } = await send(address, 'reject_chosen', [anna, bela], {
      reasonCode: 'duplicate',
    });
    expect(text).toMatch(/Anna.*M\. Kaya is working on/);
    expect(Object.keys(draftsIn(html))).toEqual([`draft-${bela.number}`]);
  });

  test('keep the way to a draft that could not be sent', async () => {
    const { visas, address } = await family(three);
    const anna = needed(visas[0]);
    const looked = await send(address, 'reject_chosen', [anna], { reasonCode: 'duplicate' });
    await claimApplication(platform, kaya, anna.id, { takeOver: true });
    const drafts = draftsIn(looked.html);
    const { html, text } = await send(address, 'send_chosen', [], drafts);
    expect(text).toMatch(/M\. Kaya is working on.*See the email and try again/);
    expect(html).toContain(
      `href="/admin/applications/${anna.number}/decision/${Object.values(drafts)[0]}"`,
    );
  });

  test('whose draft is gone are not said to be changed by somebody', async () => {
    const { visas, address } = await family(three);
    const looked = await send(address, 'reject_chosen', visas.slice(0, 1), {
      reasonCode: 'duplicate',
    });
    await removeDraft(db, Object.values(draftsIn(looked.html))[0] ?? '');
    const { text } = await send(address, 'send_chosen', visas.slice(0, 1), draftsIn(looked.html));
    expect(text).toContain('This decision is no longer saved. Make it again.');
    expect(text).not.toContain('already changed the status');
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
