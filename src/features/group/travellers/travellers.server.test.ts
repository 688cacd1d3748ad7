import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { toDecimal, type Money } from '~/base/money.ts';
import { applicationsOfOrder } from '~/features/application/store.server.ts';
import { photosOf } from '~/features/insurance/store/photo-store.server.ts';
import { jpeg } from '~/features/insurance/testing/api-calls.ts';
import { seedInsurance } from '~/features/insurance/store/seed.server.ts';
import { quietPayments, quietProvider } from '~/features/payment/testing/quiet-provider.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import type { Answers } from '~/features/visa/rules/answers.ts';
import { deleteDrafts } from '~/features/visa/store/draft.server.ts';
import { parseZone } from '~/features/visa/passport-reader/zone.ts';
import { ZONE } from '~/features/visa/rules/typed.ts';
import { visaDetailsOf } from '~/features/visa/store/store.server.ts';
import { completeAnswers, countries, NOW } from '~/features/visa/testing/sample-answers.ts';
import {
  controls,
  makeBrowser,
  storeCountries,
} from '~/features/visa/testing/sample-browser.server.ts';
import { handleStepSubmit } from '~/features/visa/wizard/handle-step-submit.server.ts';
import {
  handleNationalitySubmit,
  openNationality,
} from '~/features/visa/wizard/nationality.server.ts';
import { handleReviewSubmit, openReview } from '~/features/visa/wizard/review.server.ts';
import { handleSupportingDocumentSubmit } from '~/features/visa/wizard/supporting-document.server.ts';
import { openStep, viewOf, type StepArgs } from '~/features/visa/wizard/wizard.server.ts';
import { handleTravellers, openTravellers } from './travellers.server.ts';
import type { TravellersView } from './travellers-view.ts';

const platform = await makeTestPlatform({ now: NOW });
await storeCountries(platform);
await seedAll(platform.db, [seedInsurance], NOW);

const payments = quietPayments(quietProvider());

type Browser = ReturnType<typeof makeBrowser>;
type StepName = Parameters<typeof handleStepSubmit>[0];

const take = (step: StepName) => (args: StepArgs) => handleStepSubmit(step, args);
const at = (position: number, url = '/application') => `${url}?traveller=${position}`;

/** A person whose name has letters only; the passport number is derived from it. */
const person = (name: string, terms = countries.southAfrica, changes: Answers = {}): Answers => ({
  ...completeAnswers(terms),
  firstName: name,
  passportNumber: `P${name.toUpperCase()}7`,
  ...changes,
});
const child = { dateOfBirth: '2015-02-03' };

const beginGroup = async (answers: Answers, browser = makeBrowser(platform, { payments })) => {
  const sent = await browser.post(handleNationalitySubmit, {
    ...controls(answers),
    party: 'group',
  });
  expect(sent).toMatchObject({ status: 303, location: expect.stringContaining('traveller=1') });
  await answerRest(browser, answers, 1);
  return browser;
};

/** Answers all steps after the nationality. */
async function answerRest(browser: Browser, answers: Answers, position: number) {
  const fields = controls(answers);
  const isIndian = answers.countryId === 'IND';
  const before: StepName[] = isIndian ? ['supporting_document'] : ['what_it_allows'];
  const after: StepName[] = isIndian ? ['prerequisites', 'details'] : ['details'];
  for (const step of [...before, 'arrival' as const, ...after]) {
    const sent = await browser.post(take(step), fields, at(position));
    expect(sent, `${step} ${JSON.stringify(sent.data)}`).toMatchObject({ status: 303 });
  }
}

/** Adds a traveller; returns their position. */
async function add(browser: Browser): Promise<number> {
  const { location } = await browser.post(handleTravellers, { intent: 'add' });
  return Number(new URL(location ?? '', 'http://lale.test').searchParams.get('traveller'));
}

async function addAnswered(browser: Browser, answers: Answers): Promise<number> {
  const position = await add(browser);
  await browser.post(handleNationalitySubmit, controls(answers), at(position));
  await answerRest(browser, answers, position);
  return position;
}

async function listOf(browser: Browser): Promise<TravellersView> {
  const { data } = await browser.get(openTravellers, '/application/travellers');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the loader answers; another kind fails below.
  const loaded = data as Awaited<ReturnType<typeof openTravellers>>;
  if (loaded.kind !== 'travellers') throw new Error('The party is submitted');
  return loaded.view;
}

const pay = (browser: Browser, total: Money, fields: Record<string, string> = {}) =>
  browser.post(handleTravellers, { intent: 'pay', totalAmount: toDecimal(total), ...fields });

const count = async (table: string): Promise<number> => {
  const { rows } = await platform.pool.query<{ n: number }>(`select count(*)::int n from ${table}`);
  return rows[0]?.n ?? 0;
};

/** The order that a browser's party was submitted as. */
async function orderOf(browser: Browser): Promise<string> {
  const { data } = await browser.get(openTravellers, '/application/travellers');
  return typeof data === 'object' && data !== null && 'orderNumber' in data
    ? String(data.orderNumber)
    : '';
}

/** Who is in an order: kind, name, country and passport of each application. */
async function peopleIn(orderNumber: string) {
  const stored = await applicationsOfOrder(platform.db, orderNumber);
  return Promise.all(
    stored
      .filter(({ kind }) => kind === 'visa')
      .map(async ({ id, firstName, countryCode }) => {
        const details = await visaDetailsOf(platform.db, platform.sealer, id);
        return [firstName, countryCode, details?.passportNumber];
      }),
  );
}

beforeEach(async () => {
  await platform.pool.query('delete from visa_draft_party');
  await platform.pool.query('delete from visa_party');
});

describe('a family', () => {
  test('applies together: own answers, one order, one payment', async () => {
    const browser = await beginGroup(person('Anna'));
    await addAnswered(browser, person('Bela', countries.india));
    await addAnswered(browser, person('Carl', countries.southAfrica, child));
    const view = await listOf(browser);
    expect(view.travellers.map(({ name, todo }) => [name, todo])).toEqual([
      ['Anna Nkosi', null],
      ['Bela Nkosi', null],
      ['Carl Nkosi', null],
    ]);
    expect(view.isReady).toBe(true);
    const sent = await pay(browser, view.total, { 'insurance-1': '' });
    expect(sent).toMatchObject({ status: 303 });
    const number = await orderOf(browser);
    expect(number).toMatch(/^TRG/);
    expect(await peopleIn(number)).toEqual([
      ['Anna', 'ZAF', 'PANNA7'],
      ['Bela', 'IND', 'PBELA7'],
      ['Carl', 'ZAF', 'PCARL7'],
    ]);
    // From every traveller, the page now leads to the payment.
    expect((await browser.get(openTravellers)).data).toMatchObject({
      kind: 'submitted',
      orderNumber: number,
      travellers: 3,
    });
    expect((await browser.get(openReview, at(2))).data).toMatchObject({ orderNumber: number });
    expect(await count('visa_party')).toBe(0);
  });

  test('keeps with each what was read from their own passport', async () => {
    const written = 'TD3|ZAF|ZAF|NKOSI|BELA||PBELA7|1990-05-17|2032-02-28';
    const browser = await beginGroup(person('Anna'));
    const bela = person('Bela');
    const position = await addAnswered(browser, bela);
    const fields = { ...controls(bela), [ZONE]: written };
    await browser.post(take('details'), fields, at(position, '/application/details'));
    const { total } = await listOf(browser);
    expect(await pay(browser, total)).toMatchObject({ status: 303 });
    const stored = await applicationsOfOrder(platform.db, await orderOf(browser));
    const zones = await Promise.all(
      stored.map(async ({ id, firstName }) => {
        const details = await visaDetailsOf(platform.db, platform.sealer, id);
        return [firstName, details?.zone ?? null];
      }),
    );
    expect(zones).toEqual([
      ['Anna', null],
      ['Bela', parseZone(written)],
    ]);
  });

  test('begins with one who was alone so far, from the page of all answers', async () => {
    const browser = makeBrowser(platform, { payments });
    await browser.post(handleNationalitySubmit, { ...controls(person('Dora')), party: 'me' });
    for (const step of ['what_it_allows', 'arrival', 'details'] as const) {
      await browser.post(take(step), controls(person('Dora')));
    }
    const sent = await browser.post(handleReviewSubmit, { intent: 'add' });
    expect(sent).toMatchObject({ status: 303, location: '/application?traveller=2' });
    // Answers shared by travellers of one journey are copied.
    await browser.post(
      handleNationalitySubmit,
      { countryId: 'ZAF', documentType: 'ordinary' },
      at(2),
    );
    await browser.post(take('what_it_allows'), { purpose: 'tourism' }, at(2));
    const arrival = controls({ arrivalDate: '2027-01-15', processingType: 'fast' });
    await browser.post(take('arrival'), arrival, at(2));
    const details = await browser.get(
      async (args) => ({ view: viewOf('details', await openStep('details', args)) }),
      at(2),
    );
    expect(details.data).toMatchObject({
      view: {
        typed: {
          email: 'thandi.nkosi@mail.example',
          address: '12 Marine Parade, 4001 Durban',
          firstName: '',
          passportNumber: '',
        },
        answers: { arrivalDate: '2027-01-15' },
        party: { position: 2, positions: [1, 2] },
      },
    });
    // The first traveller can no longer be paid for alone.
    const alone = await browser.post(
      handleReviewSubmit,
      { intent: 'pay', totalAmount: '94.00' },
      at(1),
    );
    expect(alone).toMatchObject({ status: 303, location: '/application/travellers' });
  });

  test('with one traveller left becomes a single traveller again', async () => {
    const browser = makeBrowser(platform);
    const fields = controls(person('Emil'));
    await browser.post(handleNationalitySubmit, { ...fields, party: 'group' });
    const back = await browser.post(handleNationalitySubmit, { ...fields, party: 'me' }, at(1));
    expect(back).toMatchObject({ location: '/application/what-it-allows' });
    expect(await browser.get(openTravellers)).toMatchObject({
      location: '/application/what-it-allows',
    });
  });

  test('arrives together: a day that one chooses is everybody’s', async () => {
    const browser = await beginGroup(person('Fay'));
    const second = await addAnswered(browser, person('Gus'));
    const later = controls(person('Gus', countries.southAfrica, { arrivalDate: '2027-01-20' }));
    await browser.post(take('arrival'), later, at(second));
    const view = await listOf(browser);
    expect(view.arrivalDate).toBe('2027-01-20');
    expect(view.isReady).toBe(true);
  });

  test('says who is not complete, who has the same passport, and pays for nobody before', async () => {
    const browser = await beginGroup(person('Hal'));
    const second = await add(browser);
    expect((await listOf(browser)).travellers[1]).toMatchObject({
      name: '',
      todo: { step: 'nationality', url: '/application?traveller=2' },
    });
    const before = await count('application');
    const sent = await pay(browser, { minor: 9400, currency: 'USD' });
    expect(sent).toMatchObject({ status: 303, location: '/application/travellers' });
    await browser.post(handleNationalitySubmit, controls(person('Hal')), at(second));
    await answerRest(browser, person('Hal'), second);
    const view = await listOf(browser);
    expect(view.travellers[1]?.problem).toBe('passportNumber.repeated');
    expect(view.isReady).toBe(false);
    await pay(browser, view.total);
    expect(await count('application')).toBe(before);
  });

  test('has ten travellers at most', async () => {
    const browser = await beginGroup(person('Ida'));
    for (let more = 0; more < 9; more += 1) await add(browser);
    expect(await browser.post(handleTravellers, { intent: 'add' })).toMatchObject({
      location: '/application/travellers',
    });
    expect((await listOf(browser)).travellers).toHaveLength(10);
  });

  test('sees the right total where another one was shown, and stores nothing', async () => {
    const browser = await beginGroup(person('Jan'));
    await addAnswered(browser, person('Kim'));
    const before = await count('application');
    const sent = await pay(browser, { minor: 9400, currency: 'USD' });
    expect(sent).toMatchObject({ status: 409, data: { newTotal: { minor: 18_800 } } });
    expect(await count('application')).toBe(before);
  });

  test('keeps the insurance that was chosen while somebody is added', async () => {
    const browser = await beginGroup(person('Lea'));
    await browser.post(handleTravellers, { intent: 'add', 'insurance-1': '14-days' });
    const view = await listOf(browser);
    expect(view.travellers[0]?.insurance.chosen).toBe('14-days');
    expect(view.total.minor).toBe(9400 + 14_900);
  });

  test('asks for a parent’s ID where a child is insured', async () => {
    const browser = await beginGroup(person('Max'));
    const second = await addAnswered(browser, person('Nia', countries.southAfrica, child));
    await browser.post(handleTravellers, { intent: 'quote', [`insurance-${second}`]: '7-days' });
    const view = await listOf(browser);
    const before = await count('application');
    expect(await pay(browser, view.total)).toMatchObject({
      status: 422,
      data: { problems: [{ field: 'parentIdPhotos', code: 'required' }] },
    });
    expect(await count('application')).toBe(before);
  });

  describe('with photos of a parent’s ID', () => {
    const withFiles = async (fields: Record<string, string>, ...names: string[]) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      for (const [index, name] of names.entries()) {
        const bytes = name.endsWith('.jpg') ? await jpeg(`#12${index}`) : Buffer.from('<html>');
        form.append('parentIdPhotos', new File([new Uint8Array(bytes)], name));
      }
      return form;
    };
    const family = async (name: string) => {
      const browser = await beginGroup(person(name));
      const young = await addAnswered(browser, person(`${name}a`, countries.southAfrica, child));
      const other = await addAnswered(browser, person(`${name}b`, countries.southAfrica, child));
      const plans = { [`insurance-${young}`]: '7-days', [`insurance-${other}`]: '7-days' };
      return { browser, plans };
    };
    const named = async (browser: Browser) =>
      (await listOf(browser)).photos.map(({ name }) => name);

    test('keeps them whatever else is wrong, and gives each child their own', async () => {
      const { browser, plans } = await family('Tia');
      const first = { intent: 'quote', ...plans };
      const sent = await browser.post(handleTravellers, await withFiles(first, 'm.jpg', 'x.txt'));
      expect(sent).toMatchObject({
        status: 422,
        data: { problems: [{ field: 'parentIdPhotos', name: 'x.txt' }] },
      });
      expect(await named(browser)).toEqual(['m.jpg']);
      const wrongTotal = { intent: 'pay', totalAmount: '1.00', ...plans };
      expect(await browser.post(handleTravellers, await withFiles(wrongTotal))).toMatchObject({
        status: 409,
      });
      const { total, photos } = await listOf(browser);
      expect(photos).toHaveLength(1);
      await pay(browser, total, plans);
      const order = await orderOf(browser);
      const together = await applicationsOfOrder(platform.db, order);
      const insured = together.filter(({ kind }) => kind === 'insurance');
      const files = await Promise.all(
        insured.map(({ id }) => photosOf(platform.db, platform.sealer, { applicationId: id })),
      );
      expect(files.map((own) => own.map(({ name }) => name))).toEqual([['m.jpg'], ['m.jpg']]);
      expect(new Set(files.flat().map(({ fileId }) => fileId)).size).toBe(2);
      expect(await count('insurance_photo where draft_id is not null')).toBe(0);
      expect(await count('insurance_draft')).toBe(0);
    });

    test('keeps them while somebody is added, and takes one back', async () => {
      const { browser, plans } = await family('Uma');
      await browser.post(handleTravellers, await withFiles({ intent: 'add', ...plans }, 'm.jpg'));
      expect(await named(browser)).toEqual(['m.jpg']);
      const [photo] = (await listOf(browser)).photos;
      await browser.post(handleTravellers, { intent: `remove_photo:${photo?.id}`, ...plans });
      expect(await named(browser)).toEqual([]);
    });
  });
});

describe('one who leaves', () => {
  test('deletes their answers, and nobody else’s', async () => {
    const browser = await beginGroup(person('Oda'));
    const second = await addAnswered(browser, person('Pia'));
    await browser.post(handleTravellers, { intent: 'remove:1' });
    const view = await listOf(browser);
    expect(view.travellers.map(({ name, position }) => [name, position])).toEqual([
      ['Pia Nkosi', second],
    ]);
    // A page of the removed traveller that is still open changes nothing.
    const late = await browser.post(take('details'), controls(person('Oda')), at(1));
    expect(late).toMatchObject({ status: 303, location: '/application/travellers' });
    expect((await listOf(browser)).travellers[0]?.name).toBe('Pia Nkosi');
    // Positions of removed travellers are not used again.
    await browser.post(handleTravellers, { intent: `remove:${second}` });
    expect(await add(browser)).toBe(3);
  });

  test('is said to need no visa, while the others go on', async () => {
    const browser = await beginGroup(person('Rex'));
    const second = await add(browser);
    const german = { countryId: 'DEU', documentType: 'ordinary', noticed: 'DEU ordinary' };
    const sent = await browser.post(handleNationalitySubmit, german, at(second));
    expect(sent).toMatchObject({
      status: 303,
      location: '/application/travellers?without=DEU&document=ordinary',
    });
    expect((await browser.get(openTravellers, sent.location ?? '')).data).toMatchObject({
      view: { leftOut: { reason: 'visa_free', stayDays: 90 }, travellers: [{ position: 1 }] },
    });
  });

  test.each([
    ['on a consular passport', { countryId: 'CUB', documentType: 'ordinary' }, 'consular_visa'],
    ['on a service passport', { countryId: 'ZAF', documentType: 'service' }, 'service_passport'],
  ])('is said to get none %s', async (_, fields, reason) => {
    const browser = await beginGroup(person('Sam'));
    const second = await add(browser);
    const noticed = `${fields.countryId} ${fields.documentType}`;
    const sent = await browser.post(handleNationalitySubmit, { ...fields, noticed }, at(second));
    expect((await browser.get(openTravellers, sent.location ?? '')).data).toMatchObject({
      view: { leftOut: { reason }, travellers: [{ position: 1 }] },
    });
  });

  test('has no supporting document', async () => {
    const browser = await beginGroup(person('Tea'));
    const second = await add(browser);
    const indian = controls(person('Udo', countries.india));
    await browser.post(handleNationalitySubmit, indian, at(second));
    const sent = await browser.post(
      handleSupportingDocumentSubmit,
      { hasSupportingDocument: 'no' },
      at(second),
    );
    expect((await browser.get(openTravellers, sent.location ?? '')).data).toMatchObject({
      view: { leftOut: { reason: 'supporting_document_required' }, travellers: [{ position: 1 }] },
    });
  });

  test('may be the first, before anything is stored', async () => {
    const browser = makeBrowser(platform);
    const german = { countryId: 'DEU', documentType: 'ordinary', noticed: 'DEU ordinary' };
    const sent = await browser.post(handleNationalitySubmit, { ...german, party: 'group' });
    expect((await browser.get(openNationality, sent.location ?? '')).data).toMatchObject({
      isGroup: true,
      without: { reason: 'visa_free' },
      view: { typed: { countryId: '' } },
    });
  });
});

describe('at the same moment', () => {
  test('two presses make one order', async () => {
    const browser = await beginGroup(person('Vic'));
    await addAnswered(browser, person('Wim'));
    const { total } = await listOf(browser);
    const before = await count('purchase_order');
    const sent = await Promise.all([1, 2, 3].map(() => pay(browser, total)));
    for (const one of sent) expect(one.status).toBe(303);
    expect(await count('purchase_order')).toBe(before + 1);
  });

  test('one pays while another tab changes an answer: one state is stored completely, or nothing', async () => {
    for (let round = 0; round < 6; round += 1) {
      const browser = await beginGroup(person('Xia'));
      const second = await addAnswered(browser, person('Yan'));
      const { total } = await listOf(browser);
      const changed = controls(person('Zoe'));
      const [paid] = await Promise.all([
        pay(browser, total),
        browser.post(take('details'), changed, at(second)),
      ]);
      expect(paid.status).toBe(303);
      const people = await peopleIn(await orderOf(browser));
      expect(people[0]).toEqual(['Xia', 'ZAF', 'PXIA7']);
      expect([
        ['Yan', 'ZAF', 'PYAN7'],
        ['Zoe', 'ZAF', 'PZOE7'],
      ]).toContainEqual(people[1]);
      expect(people).toHaveLength(2);
    }
  });

  test('one pays while another tab adds or removes a traveller: only complete parties are stored', async () => {
    for (const [intent, others] of [
      ['add', [1, 2]],
      ['remove:2', [1, 2]],
    ] as const) {
      const browser = await beginGroup(person('Abe'));
      await addAnswered(browser, person('Bea'));
      const { total } = await listOf(browser);
      const before = await count('application');
      await Promise.all([pay(browser, total), browser.post(handleTravellers, { intent })]);
      const made = (await count('application')) - before;
      expect([0, others.length]).toContain(made);
    }
  });
});

test('costs the sum of its travellers, and mixes nobody’s data, whatever is added, changed and removed', async () => {
  const step = fc.oneof(
    fc.record({ does: fc.constant('add' as const), isIndian: fc.boolean() }),
    fc.record({ does: fc.constant('remove' as const), which: fc.nat(9) }),
    fc.record({
      does: fc.constant('insure' as const),
      which: fc.nat(9),
      plan: fc.constantFrom('', '7-days', '30-days'),
    }),
    fc.record({ does: fc.constant('rename' as const), which: fc.nat(9) }),
  );
  let names = 0;
  const newName = () => {
    names += 1;
    return `N${String(names).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}`;
  };
  const prices = { ZAF: 9400, IND: 18_400, '': 0, '7-days': 11_400, '30-days': 18_900 };
  type Known = {
    position: number;
    name: string;
    code: 'ZAF' | 'IND';
    plan: '' | '7-days' | '30-days';
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const first = newName();
      const browser = await beginGroup(person(first));
      let known: Known[] = [{ position: 1, name: first, code: 'ZAF', plan: '' }];
      for (const one of steps) {
        const chosen = 'which' in one ? known[one.which % known.length] : undefined;
        if (one.does === 'add') {
          const name = newName();
          const terms = one.isIndian ? countries.india : countries.southAfrica;
          const position = await addAnswered(browser, person(name, terms));
          known.push({ position, name, code: one.isIndian ? 'IND' : 'ZAF', plan: '' });
        } else if (!chosen) continue;
        else if (one.does === 'remove') {
          await browser.post(handleTravellers, { intent: `remove:${chosen.position}` });
          if (known.length > 1) known = known.filter((other) => other !== chosen);
        } else if (one.does === 'insure') {
          const control = `insurance-${chosen.position}`;
          await browser.post(handleTravellers, { intent: 'quote', [control]: one.plan });
          chosen.plan = one.plan;
        } else {
          chosen.name = newName();
          const terms = chosen.code === 'IND' ? countries.india : countries.southAfrica;
          const fields = controls(person(chosen.name, terms));
          await browser.post(take('details'), fields, at(chosen.position));
        }
        const sum = known.reduce((all, { code, plan }) => all + prices[code] + prices[plan], 0);
        expect((await listOf(browser)).total.minor).toBe(sum);
      }
      const { total } = await listOf(browser);
      expect(await pay(browser, total)).toMatchObject({ status: 303 });
      expect(await peopleIn(await orderOf(browser))).toEqual(
        known.map(({ name, code }) => [name, code, `P${name.toUpperCase()}7`]),
      );
    }),
    { numRuns: 8 },
  );
});

test('ends with its drafts', async () => {
  const browser = await beginGroup(person('Ole'));
  await add(browser);
  platform.clock.advance(30 * 24 * 3600_000);
  await deleteDrafts(platform);
  expect(await count('visa_party')).toBe(0);
  expect(await browser.get(openTravellers)).toMatchObject({ location: '/application' });
  platform.clock.set(NOW);
});
