import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  choose,
  choiceNotice,
  readChoice,
  type FormChoice,
  type PricedOption,
} from './default-choice.ts';

const options: readonly PricedOption[] = [
  { id: 'slow', price: 94_00 },
  { id: 'fast', price: 144_00 },
  { id: 'express', price: 244_00 },
  { id: 'urgent', price: 394_00 },
];
/** A faster one suits every day that a slower one suits. */
const suitableFrom = (rank: number) => options.slice(rank);
const nothing: FormChoice = { wish: '', selected: '' };

/** null: half a date. 4: a day that nothing suits. */
const days = fc.option(fc.integer({ min: 0, max: 4 }), { nil: null });
const edits = fc.array(
  fc.oneof(
    days.map((rank) => ({ kind: 'date' as const, rank })),
    fc.constantFrom(...options).map(({ id }) => ({ kind: 'click' as const, id })),
  ),
  { maxLength: 12 },
);
const suitableFor = (rank: number | null) => (rank === null ? null : suitableFrom(rank));

describe('what the form chooses', () => {
  it('is the cheapest that suits, whatever was answered before', () => {
    const dates = fc.array(days, { maxLength: 12 });
    fc.assert(
      fc.property(dates, fc.integer({ min: 0, max: 3 }), (earlier, last) => {
        const choice = [...earlier, last].reduce<FormChoice>(
          (before, rank) => choose(before, suitableFor(rank)),
          nothing,
        );
        expect(choice).toEqual({ wish: '', selected: options[last]?.id });
      }),
    );
  });

  it('does not change with half a date, nor with a day that nothing suits', () => {
    const urgent = { wish: '', selected: 'urgent' };
    expect(choose(urgent, null)).toEqual(urgent);
    expect(choose(urgent, [])).toEqual(urgent);
  });

  it('is the first of several at one price', () => {
    const same = [
      { id: 'a', price: 5 },
      { id: 'b', price: 5 },
    ];
    expect(choose(nothing, same).selected).toBe('a');
  });
});

describe('what the visitor chose', () => {
  it('depends on his choices and his last answers alone, with scripts and without', () => {
    fc.assert(
      fc.property(edits, fc.integer({ min: 0, max: 3 }), (steps, last) => {
        let rank: number | null = 0;
        let scripted = choose(nothing, suitableFor(rank));
        let plain = scripted;
        let wish = '';
        for (const step of [...steps, { kind: 'date' as const, rank: last }]) {
          if (step.kind === 'date') rank = step.rank;
          // A click on the button that is pressed already is no change, and no event.
          const clicked = step.kind === 'click' && step.id !== scripted.selected ? step.id : null;
          if (clicked !== null) wish = clicked;
          scripted = choose(
            clicked === null ? scripted : { wish: clicked, selected: clicked },
            suitableFor(rank),
          );
          // Without scripts every edit is a form that is sent and a page that is rendered anew.
          const sent = clicked ?? plain.selected;
          const heard = readChoice({ sent, shown: plain.selected, wish: plain.wish });
          plain = choose(heard, suitableFor(rank));
        }
        const suitable = suitableFrom(last);
        const isOpen = suitable.some(({ id }) => id === wish);
        expect(scripted).toEqual({ wish, selected: isOpen ? wish : suitable[0]?.id });
        expect(plain).toEqual(scripted);
      }),
    );
  });

  it('comes back when the answers that ruled it out are changed', () => {
    const fast = choose({ wish: 'fast', selected: 'fast' }, suitableFrom(0));
    const near = choose(fast, suitableFrom(2));
    expect(near).toEqual({ wish: 'fast', selected: 'express' });
    expect(choose(near, suitableFrom(1))).toEqual(fast);
  });

  it('is told from what the page had selected', () => {
    expect(readChoice({ sent: 'fast', shown: 'slow', wish: '' })).toEqual({
      wish: 'fast',
      selected: 'fast',
    });
    expect(readChoice({ sent: 'slow', shown: 'slow', wish: '' }).wish).toBe('');
    expect(readChoice({ sent: 'fast', shown: 'fast', wish: 'fast' }).wish).toBe('fast');
    expect(readChoice({ sent: '', shown: 'slow', wish: 'fast' })).toEqual({
      wish: 'fast',
      selected: 'slow',
    });
  });
});

describe('what the form says', () => {
  it('names what would do for less than the visitor’s own choice', () => {
    const own = { wish: 'express', selected: 'express' };
    expect(choiceNotice('express', own, suitableFrom(1))).toEqual({
      by: 'visitor',
      moved: null,
      ruledOut: '',
      cheaper: 'fast',
    });
    expect(choiceNotice('express', own, suitableFrom(2)).cheaper).toBe('');
    expect(choiceNotice('express', own, null).cheaper).toBe('');
  });

  it('says every change of the selection, in both directions', () => {
    const moved = (from: string, to: string) =>
      choiceNotice(from, { wish: '', selected: to }, suitableFrom(0)).moved;
    expect(moved('slow', 'express')).toEqual({ from: 'slow', to: 'express' });
    expect(moved('express', 'slow')).toEqual({ from: 'express', to: 'slow' });
    expect(moved('slow', 'slow')).toBeNull();
    // The first selection of a page replaces none.
    expect(moved('', 'slow')).toBeNull();
  });

  it('names the visitor’s choice that the answers rule out', () => {
    const notice = choiceNotice('slow', { wish: 'slow', selected: 'fast' }, suitableFrom(1));
    expect(notice).toEqual({
      by: 'form',
      moved: { from: 'slow', to: 'fast' },
      ruledOut: 'slow',
      cheaper: '',
    });
  });
});
