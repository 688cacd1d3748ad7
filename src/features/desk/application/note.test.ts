import { expect, test } from 'vitest';
import { CORRECTABLE_MS, LONGEST_STAFF_NOTE, mayCorrect, readNote, readWhy } from './note.ts';

test.each([
  [
    '  Called the hotel.\r\nBooking holds. ',
    { ok: true, value: 'Called the hotel.\nBooking holds.' },
  ],
  [' \r\n\t ', { ok: false, error: 'empty_note' }],
  ['x'.repeat(LONGEST_STAFF_NOTE), { ok: true, value: 'x'.repeat(LONGEST_STAFF_NOTE) }],
  ['x'.repeat(LONGEST_STAFF_NOTE + 1), { ok: false, error: 'long_note' }],
])('a note is read without the blanks round it, up to its limit', (typed, expected) => {
  expect(readNote(typed)).toEqual(expected);
});

test('line ends count once: what a browser let somebody type is not too long', () => {
  const lines = 'x\r\n'.repeat(LONGEST_STAFF_NOTE / 2);
  expect(readNote(lines).ok).toBe(true);
});

test.each([
  ['', 'empty_why'],
  ['y'.repeat(501), 'long_why'],
])('a reason has something to say, briefly', (typed, error) => {
  expect(readWhy(typed)).toEqual({ ok: false, error });
});

const writtenAt = new Date('2026-11-23T10:00:00Z');
const note = { staffId: 'me', writtenAt, struck: null };
test.each([
  ['by its author at once', note, 'me', 0, true],
  ['by its author in the last moment', note, 'me', CORRECTABLE_MS - 1, true],
  ['not after ten minutes', note, 'me', CORRECTABLE_MS, false],
  ['not by somebody else', note, 'you', 0, false],
  [
    'not once it is struck',
    { ...note, struck: { at: writtenAt, by: 'you', why: 'No' } },
    'me',
    0,
    false,
  ],
])('a note is corrected %s', (_, of, who, after, may) => {
  expect(mayCorrect(of, who, writtenAt.getTime() + after)).toBe(may);
});
