import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planColumns, planLines, columnLabels, valueScale, PLOT_HEIGHT } from './charts.tsx';

describe('an axis', () => {
  test.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [87, [0, 20, 40, 60, 80, 100]],
  ])('of things counted up to %i names round numbers', (most, named) => {
    expect(valueScale(most, { whole: true }).ticks.map(({ value }) => value)).toEqual(named);
  });

  test('holds every value of its charts, 0 at the bottom', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e7, noNaN: true }), fc.boolean(), (most, whole) => {
        const { ticks, topOf } = valueScale(most, { whole });
        expect(topOf(0)).toBe(PLOT_HEIGHT);
        expect(topOf(most)).toBeGreaterThanOrEqual(0);
        for (const { value, top } of ticks) {
          expect(top).toBeGreaterThanOrEqual(0);
          if (whole) expect(Number.isInteger(value)).toBe(true);
        }
      }),
    );
  });

  test('of percent ends at 100', () => {
    expect(valueScale(100, { fixed: true }).topOf(100)).toBe(0);
  });
});

test.each(Array.from({ length: 91 }, (_, index) => index + 1))(
  '%i columns: the newest is named, seven at most, four where room is short',
  (count) => {
    const labels = columnLabels(count);
    expect(labels.at(-1)).toMatchObject({ index: count - 1, extra: false });
    expect(labels.length).toBeLessThanOrEqual(7);
    expect(labels.filter(({ extra }) => !extra).length).toBeLessThanOrEqual(4);
  },
);

test('the parts of a column stand on one another and reach as high as their sum', () => {
  const values = fc.array(fc.tuple(fc.nat(5000), fc.nat(5000)), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(values, (given) => {
      const { columns, ticks } = planColumns(given, { whole: true });
      const unit = PLOT_HEIGHT - (ticks[1]?.top ?? 0);
      for (const [index, [lower, upper]] of given.entries()) {
        const [first, second] = columns[index]?.parts ?? [];
        expect((first?.top ?? 0) + (first?.height ?? 0)).toBeCloseTo(PLOT_HEIGHT, 0);
        expect((second?.top ?? 0) + (second?.height ?? 0)).toBeCloseTo(first?.top ?? 0, 0);
        const height = ((lower + upper) / (ticks[1]?.value ?? 1)) * unit;
        expect(Math.abs(PLOT_HEIGHT - (second?.top ?? 0) - height)).toBeLessThan(2);
      }
    }),
  );
});

test('a missing value is a gap in its line, not a nought', () => {
  const { lines } = planLines([[1, 2, null, 3]]);
  expect(lines[0]?.points.map(({ index }) => index)).toEqual([0, 1, 3]);
  expect(lines[0]?.path.match(/M/g)).toHaveLength(2);
});

test('an axis that has to reach a value reaches it, and further where the lines go further', () => {
  const highest = (plan: ReturnType<typeof planLines>) => plan.ticks.at(-1)?.value;
  expect(highest(planLines([[0.001]], { least: 1 }))).toBe(1);
  expect(highest(planLines([[]], { least: 1 }))).toBe(1);
  expect(highest(planLines([[40]], { least: 1 }))).toBe(40);
});

test('without any value there is nothing to draw', () => {
  expect(planLines([[null, null]]).lines[0]).toEqual({ path: '', points: [] });
  expect(planColumns([]).columns).toEqual([]);
});
