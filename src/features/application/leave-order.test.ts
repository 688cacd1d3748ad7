import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applicationStatuses } from './status-machine.ts';
import { MOST_TRAVELLERS } from './travellers.ts';
import { leavingWith, linesLeft } from './leave-order.ts';

const member = (kind: 'visa' | 'insurance', travellerPosition: number) => ({
  kind,
  travellerPosition,
  number: `${kind === 'visa' ? 'TRV' : 'TRI'}${travellerPosition}`,
  status: 'pending' as const,
});

/** Travellers, some insured, with one to six price lines for each application. */
const orders = fc
  .array(
    fc.record({
      isInsured: fc.boolean(),
      visa: fc.array(fc.integer({ min: 1, max: 500_00 }), { minLength: 1, maxLength: 5 }),
      plan: fc.integer({ min: 1, max: 500_00 }),
    }),
    { minLength: 1, maxLength: MOST_TRAVELLERS },
  )
  .map((travellers) => {
    const together = travellers.flatMap(({ isInsured }, index) => [
      member('visa', index + 1),
      ...(isInsured ? [member('insurance', index + 1)] : []),
    ]);
    const lines = travellers.flatMap(({ visa, plan, isInsured }, index) => [
      ...visa.map((amountMinor) => ({ applicationNumber: `TRV${index + 1}`, amountMinor })),
      ...(isInsured ? [{ applicationNumber: `TRI${index + 1}`, amountMinor: plan }] : []),
    ]);
    return { together, lines };
  });

describe('a rejection in an unpaid order', () => {
  test('leaves all lines of everybody else as they are, and their sum is due', () => {
    fc.assert(
      fc.property(orders, fc.nat(), ({ together, lines }, pick) => {
        const rejected = together[pick % together.length];
        if (!rejected) throw new Error('Nobody to reject');
        const left = linesLeft(lines, leavingWith(together, rejected));
        const isOf = (number: string) => {
          const one = together.find((found) => found.number === number);
          return one?.travellerPosition === rejected.travellerPosition;
        };
        const others = lines.filter(({ applicationNumber }) => !isOf(applicationNumber));
        expect(left.lines.filter(({ applicationNumber }) => !isOf(applicationNumber))).toEqual(
          others,
        );
        const own = lines.filter(
          ({ applicationNumber }) =>
            isOf(applicationNumber) &&
            rejected.kind === 'insurance' &&
            applicationNumber !== rejected.number,
        );
        const sum = [...others, ...own].reduce((total, line) => total + line.amountMinor, 0);
        expect(left.amountMinor).toBe(sum);
        expect(left.lines.some((line) => line.applicationNumber === rejected.number)).toBe(false);
      }),
    );
  });

  test('one after the other, in any order, leaves nothing due', () => {
    fc.assert(
      fc.property(
        orders.chain((order) =>
          fc.tuple(
            fc.constant(order),
            fc.shuffledSubarray(order.together, { minLength: order.together.length }),
          ),
        ),
        ([{ lines }, each]) => {
          const left = each.reduce((kept, one) => linesLeft(kept, [one]).lines, lines);
          expect(linesLeft(left, [])).toEqual({ lines: [], amountMinor: 0 });
        },
      ),
    );
  });

  test('of a visa takes the insurance of the same traveller along, not another traveller’s', () => {
    const [first, second] = [member('visa', 1), member('visa', 2)];
    const [own, other] = [member('insurance', 1), member('insurance', 2)];
    expect(leavingWith([first, own, second, other], first)).toEqual([first, own]);
    expect(leavingWith([first, second, other], first)).toEqual([first]);
  });

  test('of an insurance leaves the visa', () => {
    const [visa, insurance] = [member('visa', 1), member('insurance', 1)];
    expect(leavingWith([visa, insurance], insurance)).toEqual([insurance]);
  });

  test.each(applicationStatuses)('of a visa beside an insurance that is %s', (status) => {
    const [visa, insurance] = [member('visa', 1), { ...member('insurance', 1), status }];
    const isOpen = status === 'pending' || status === 'processing';
    expect(leavingWith([visa, insurance], { ...visa, status: 'pending' })).toEqual(
      isOpen ? [visa, insurance] : [visa],
    );
  });
});
