import { describe, expect, it } from 'vitest';
import { ageExemption, ageNoteFor, agedCountries } from './age-notes.ts';
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

  it('exempts the ages that the note in the data exempts', () => {
    const written = referenceCountries.flatMap(({ code, note }) => {
      const [, under, over] = /under (\d+) or over (\d+)/i.exec(note) ?? [];
      return under && over ? [[code, Number(under), Number(over)]] : [];
    });
    const known = agedCountries.map((code) => {
      const { under, over } = ageExemption({ code, regime: 'evisa_with_document' }) ?? {};
      return [code, under, over];
    });
    expect(known.toSorted()).toEqual(written.toSorted());
    expect(ageExemption({ code: 'EGY', regime: 'evisa_with_document' })?.from).toBe('no_document');
    expect(ageExemption({ code: 'LBY', regime: 'evisa_with_document' })?.from).toBe('visa_free');
    expect(ageExemption({ code: 'EGY', regime: 'evisa' })).toBeNull();
    expect(ageExemption({ code: 'IND', regime: 'evisa_with_document' })).toBeNull();
  });

  it('is known for every nationality whose note in the data speaks of ages', () => {
    const spoken = referenceCountries
      .filter(({ regime, note }) => regime === 'evisa_with_document' && /\bages \d/i.test(note))
      .map(({ code }) => code);
    expect(agedCountries.toSorted()).toEqual(spoken.toSorted());
  });
});
