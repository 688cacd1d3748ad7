import fc from 'fast-check';
import { expect, it, describe } from 'vitest';
import {
  readInsuranceAnswers,
  typedInsuranceAnswers,
  readPlanChoice,
  daysTyped,
  resolvePlan,
  PLAN_SHOWN,
  PLAN_WISH,
  priceShown,
  writePrices,
} from './typed.ts';
import { addDays, isPlainDate, splitDate } from '~/base/dates/dates.ts';
import type { TypedAnswers } from '~/features/form/answers/controls.ts';
import { plans, selectPlan } from './plans.ts';
import { usd } from '~/base/money.ts';

const name = fc.constantFrom('Suharto', 'Thandi', 'Nkosi', 'De la Cruz');

it('controls for stored answers give the same answers again, and change a single name in both places', () => {
  const stored = { travelDate: '2026-12-12', returnDate: '2026-12-31', phone: '+27315550142' };
  fc.assert(
    fc.property(name, name, name, (firstName, lastName, changed) => {
      const answers = { ...stored, firstName, lastName };
      const typed = typedInsuranceAnswers(answers);
      expect(readInsuranceAnswers(typed)).toMatchObject(answers);
      expect(readInsuranceAnswers({ ...typed, lastName: changed })).toMatchObject({
        lastName: changed,
        firstName: firstName === lastName ? changed : firstName,
      });
    }),
  );
});

type Entries = Record<string, string>;

const trip = (from: string, until: string): Entries => {
  const parts = (name: string, date: string) => {
    if (!isPlainDate(date)) throw new Error(date);
    const { day, month, year } = splitDate(date);
    return {
      [`${name}-day`]: `${day}`,
      [`${name}-month`]: `${month}`,
      [`${name}-year`]: `${year}`,
    };
  };
  return { ...parts('travelDate', from), ...parts('returnDate', until) };
};

/** One edit on a page with scripts: controls change, then the page updates the plan. */
function edit(before: TypedAnswers, changes: Entries): TypedAnswers {
  const typed = { ...before, ...changes };
  const { choice } = selectPlan(plans, daysTyped(typed), readPlanChoice(typed));
  return {
    ...typed,
    productId: choice.selected,
    [PLAN_SHOWN]: choice.selected,
    [PLAN_WISH]: choice.wish,
  };
}

/** The same edits on pages without scripts: each is submitted and rendered anew. */
const send = (before: TypedAnswers, changes: Entries): TypedAnswers =>
  edit(resolvePlan({ ...before, ...changes }, plans).typed, {});

const priceOf = ({ productId }: TypedAnswers) =>
  plans.find(({ id }) => id === productId)?.price.minor;

describe('the plan that the form chooses', () => {
  it.each([
    ['with scripts', edit],
    ['without', send],
  ])('follows the dates down as well as up, %s', (_, step) => {
    const start = step({}, trip('2026-11-22', '2026-12-02'));
    expect(start.productId).toBe('14-days');
    const half = step(start, { 'returnDate-day': '28' });
    expect(half.productId).toBe('60-days');
    expect(step(half, { 'returnDate-month': '11' }).productId).toBe('7-days');
  });

  it('stays while a date is half typed', () => {
    const start = edit({}, trip('2026-11-22', '2026-12-02'));
    expect(edit(start, { 'returnDate-month': '' }).productId).toBe('14-days');
  });

  it('is the cheapest that covers the trip, whatever was typed on the way', () => {
    const edits = fc.array(
      fc.oneof(
        fc.record({ 'travelDate-day': fc.constantFrom('', '1', '22', '31', '40') }),
        fc.record({ 'travelDate-month': fc.constantFrom('', '1', '11', 'March', '13') }),
        fc.record({ 'returnDate-day': fc.constantFrom('', '2', '28', '30') }),
        fc.record({ 'returnDate-month': fc.constantFrom('', '4', '12', 'May') }),
        fc.record({ 'returnDate-year': fc.constantFrom('', '2026', '2027', '20') }),
      ),
      { maxLength: 15 },
    );
    fc.assert(
      fc.property(edits, fc.integer({ min: 2, max: 365 }), (way, days) => {
        const from = '2026-11-22';
        if (!isPlainDate(from)) throw new Error(from);
        const last = trip(from, addDays(from, days - 1));
        const scripted = [...way, last].reduce<TypedAnswers>(edit, {});
        const plain = [...way, last].reduce<TypedAnswers>(send, {});
        const covering = plans.filter((plan) => plan.days >= days);
        expect(priceOf(scripted)).toBe(Math.min(...covering.map(({ price }) => price.minor)));
        expect(plain.productId).toBe(scripted.productId);
      }),
    );
  });
});

describe('the plan that the visitor chooses', () => {
  const chosen = { ...trip('2026-11-22', '2026-12-02'), productId: '30-days' };

  it.each([
    ['with scripts', edit],
    ['without', send],
  ])('is kept, and it is said what would cost less, %s', (_, step) => {
    const own = step(step({}, trip('2026-11-22', '2026-12-02')), { productId: '30-days' });
    const shorter = step(own, trip('2026-11-22', '2026-11-28'));
    expect(shorter.productId).toBe('30-days');
    const selection = selectPlan(plans, daysTyped(shorter), readPlanChoice(shorter));
    expect(selection).toMatchObject({ chosen: { id: '30-days' }, cheaper: { id: '7-days' } });
  });

  it('gives way to dates that it does not cover, which is said, and comes back with them', () => {
    const own = send({}, chosen);
    const longer = resolvePlan({ ...own, ...trip('2026-11-22', '2027-01-02') }, plans);
    expect(longer.moved).toMatchObject({ from: { id: '30-days' }, to: { id: '60-days' } });
    const back = resolvePlan({ ...longer.typed, ...trip('2026-11-22', '2026-12-02') }, plans);
    expect(back).toMatchObject({
      typed: { productId: '30-days' },
      moved: { from: { id: '60-days' }, to: { id: '30-days' } },
    });
  });

  it('is judged as it is where it was checked just now', () => {
    const tooShort = resolvePlan({ ...chosen, productId: '7-days' }, plans);
    expect(tooShort).toMatchObject({ typed: { productId: '7-days' }, moved: null });
  });

  it('stays nothing where nothing was chosen', () => {
    expect(resolvePlan(trip('2026-11-22', '2026-12-02'), plans).typed.productId).toBe('');
  });
});

it('brings back the price of each plan, whatever it is', () => {
  const minors = fc.array(fc.integer({ min: 1, max: 9999_99 }), { minLength: 7, maxLength: 7 });
  fc.assert(
    fc.property(minors, (prices) => {
      const shown = plans.map((plan, index) => ({ ...plan, price: usd(prices[index] ?? 1) }));
      for (const { id, price } of shown) expect(priceShown(writePrices(shown), id)).toEqual(price);
    }),
  );
});

it.each(['', 'x', '14-days', '14-days=', '14-days=-1', '14-days=1e3', '114-days=149.00'])(
  'finds no price in %j',
  (written) => {
    expect(priceShown(written, '14-days')).toBeNull();
  },
);
