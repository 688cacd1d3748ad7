import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applicationsByOrder } from '~/features/application/store.server.ts';
import { countries } from '~/features/visa/testing/sample-answers.ts';
import { handleNationalitySubmit } from '~/features/visa/wizard/nationality.server.ts';
import { controls } from '~/features/visa/testing/sample-browser.server.ts';
import { handleTravellers } from './travellers.server.ts';
import { submitWizardStep } from '~/features/visa/testing/wizard-visits.server.ts';
import { at, person, familyVisits } from './testing/family-visits.ts';

const {
  addAnswered,
  addInsured,
  answerInsured,
  beginGroup,
  count,
  listOf,
  orderOf,
  pay,
  peopleIn,
  platform,
} = await familyVisits();

/** Kind, name and, of insurances, plan of what an order holds. */
const boughtIn = async (orderNumber: string) =>
  (await applicationsByOrder(platform.db, orderNumber)).map(({ kind, firstName, service }) =>
    kind === 'visa' ? [kind, firstName] : [kind, firstName, service],
  );

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
        browser.post(submitWizardStep('details'), changed, at(second)),
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

  test('one pays while another tab changes who is insured alone, or makes somebody so: one state is paid', async () => {
    for (let round = 0; round < 4; round += 1) {
      const browser = await beginGroup(person('Eva'));
      const second = await addInsured(browser, 'Ulf');
      const [paid] = await Promise.all([
        pay(browser, (await listOf(browser)).total),
        answerInsured(browser, second, 'Max').catch(() => undefined),
      ]);
      expect(paid.status).toBe(303);
      const [, insured] = await boughtIn(await orderOf(browser));
      expect([
        ['insurance', 'Ulf', '14-days'],
        ['insurance', 'Max', '14-days'],
      ]).toContainEqual(insured);
    }
    const before = await count('application');
    const browser = await beginGroup(person('Ada'));
    const second = await addAnswered(browser, person('Ben'));
    const german = { countryId: 'DEU', documentType: 'ordinary', intent: 'insure' };
    await Promise.all([
      pay(browser, (await listOf(browser)).total),
      browser.post(handleNationalitySubmit, german, at(second)),
    ]);
    // Ben has his e-visa, or nothing is stored before he has answered what an insurance asks.
    expect([0, 2]).toContain((await count('application')) - before);
  });
});

test('costs the sum of its travellers, and mixes nobody’s data, whatever is added, changed and removed', async () => {
  const step = fc.oneof(
    fc.record({ does: fc.constant('add' as const), isIndian: fc.boolean() }),
    fc.record({
      does: fc.constant('addInsured' as const),
      plan: fc.constantFrom('7-days' as const, '30-days' as const),
    }),
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
    /** None for who is insured alone. */
    code: 'ZAF' | 'IND' | '';
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
        } else if (one.does === 'addInsured') {
          const name = newName();
          const position = await addInsured(browser, name, { productId: one.plan });
          known.push({ position, name, code: '', plan: one.plan });
        } else if (!chosen) continue;
        else if (one.does === 'remove') {
          await browser.post(handleTravellers, { intent: `remove:${chosen.position}` });
          if (known.length > 1) known = known.filter((other) => other !== chosen);
        } else if (one.does === 'insure') {
          if (chosen.code === '') continue;
          const control = `insurance-${chosen.position}`;
          await browser.post(handleTravellers, { intent: 'quote', [control]: one.plan });
          chosen.plan = one.plan;
        } else {
          chosen.name = newName();
          if (chosen.code === '') {
            const plan = { productId: chosen.plan };
            await answerInsured(browser, chosen.position, chosen.name, plan);
            continue;
          }
          const terms = chosen.code === 'IND' ? countries.india : countries.southAfrica;
          const fields = controls(person(chosen.name, terms));
          await browser.post(submitWizardStep('details'), fields, at(chosen.position));
        }
        const sum = known.reduce((all, { code, plan }) => all + prices[code] + prices[plan], 0);
        expect((await listOf(browser)).total.minor).toBe(sum);
      }
      const { total } = await listOf(browser);
      expect(await pay(browser, total)).toMatchObject({ status: 303 });
      const order = await orderOf(browser);
      expect(await peopleIn(order)).toEqual(
        known.flatMap(({ name, code }) =>
          code === '' ? [] : [[name, code, `P${name.toUpperCase()}7`]],
        ),
      );
      const bought = known.flatMap(({ name, code, plan }) => [
        ...(code === '' ? [] : [['visa', name]]),
        ...(plan === '' ? [] : [['insurance', name, plan]]),
      ]);
      const paid = await boughtIn(order);
      expect(paid.map(String).sort()).toEqual(bought.map(String).sort());
    }),
    { numRuns: 8 },
  );
});
