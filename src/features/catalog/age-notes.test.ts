import { describe, expect, it } from 'vitest';
import { ageNoteFor, agedCountries } from './age-notes.ts';
import { referenceCountries } from './reference-data.ts';

const noteOf = (code: string, age: number) =>
  ageNoteFor({ code, regime: 'evisa_with_document' }, age);

describe('what an age changes', () => {
  it.each([
    ['DZA', 14, 'visa_free'],
    ['DZA', 15, null],
    ['DZA', 17, null],
    ['DZA', 18, 'unclear'],
    ['DZA', 26, 'consulate'],
    ['DZA', 34, 'consulate'],
    ['DZA', 35, 'unclear'],
    ['DZA', 36, null],
    ['DZA', 65, null],
    ['DZA', 66, 'visa_free'],
    ['EGY', 14, 'no_document'],
    ['EGY', 15, null],
    ['EGY', 45, null],
    ['EGY', 46, 'no_document'],
    ['IRQ', 14, 'visa_free'],
    ['IRQ', 50, null],
    ['IRQ', 51, 'visa_free'],
    ['LBY', 15, 'visa_free'],
    ['LBY', 16, null],
    ['LBY', 46, 'visa_free'],
    ['ZAF', 26, null],
  ] as const)('%s at %i: %s', (code, age, note) => {
    expect(noteOf(code, age)).toBe(note);
  });

  it('goes with the regime that the note was written for', () => {
    expect(ageNoteFor({ code: 'DZA', regime: 'evisa' }, 26)).toBeNull();
  });

  it('is known for every nationality whose note in the data speaks of ages', () => {
    const spoken = referenceCountries
      .filter(({ regime, note }) => regime === 'evisa_with_document' && /\bages \d/i.test(note))
      .map(({ code }) => code);
    expect(agedCountries.toSorted()).toEqual(spoken.toSorted());
  });
});
