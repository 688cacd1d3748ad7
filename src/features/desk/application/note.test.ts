import { expect, test } from 'vitest';
import {
  CORRECTABLE_MS,
  MAX_STAFF_NOTE_LENGTH,
  noteExcerpt,
  mayCorrect,
  findMentions,
  readNote,
  readWhy,
  typedMention,
} from './note.ts';

test.each([
  [
    '  Called the hotel.\r\nBooking holds. ',
    { ok: true, value: 'Called the hotel.\nBooking holds.' },
  ],
  [' \r\n\t ', { ok: false, error: 'empty_note' }],
  ['x'.repeat(MAX_STAFF_NOTE_LENGTH), { ok: true, value: 'x'.repeat(MAX_STAFF_NOTE_LENGTH) }],
  ['x'.repeat(MAX_STAFF_NOTE_LENGTH + 1), { ok: false, error: 'long_note' }],
])('a note is read without the blanks round it, up to its limit', (typed, expected) => {
  expect(readNote(typed)).toEqual(expected);
});

test('line ends count once: what a browser let somebody type is not too long', () => {
  const lines = 'x\r\n'.repeat(MAX_STAFF_NOTE_LENGTH / 2);
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

const people = [
  { id: '1', name: 'E. Aydın' },
  { id: '2', name: 'Deniz' },
  { id: '3', name: 'Deniz Kaya' },
  { id: '4', name: 'Şule' },
  { id: '5', name: 'Şule' },
];

test.each([
  ['Can you look at the photo, @E. Aydın?', ['1']],
  ['@e. aydın, @DENIZ: please', ['1', '2']],
  ['@Deniz Kaya knows', ['3']],
  ['@Deniz knows', ['2']],
  ['@Denizli', []],
  ['E. Aydın and deniz@lale.example', []],
  ['(@Şule)', ['4', '5']],
  ['@S\u0327ule', ['4', '5']],
  ['@', []],
])('“%s” mentions %j', (note, ids) => {
  expect(findMentions(note, people).map(({ id }) => id)).toEqual(ids);
});

const colleagues = [
  { id: '1', name: 'E. Aydın' },
  { id: '2', name: 'Deniz' },
  { id: '3', name: 'Deniz Kaya' },
  { id: '4', name: 'Özge Demir' },
];

test.each([
  ['@', 0, ['1', '2', '3', '4']],
  ['Ask @', 4, ['1', '2', '3', '4']],
  ['Ask (@de', 5, ['2', '3', '4']],
  ['@aydin', 0, ['1']],
  ['@OZ', 0, ['4']],
  ['@Deniz ', 0, ['3']],
  ['@Deniz', 0, ['2', '3']],
  ['first @Deniz Kaya, then @e', 24, ['1']],
])('after “%s” the mention begins at %i, of %j', (typed, from, ids) => {
  const found = typedMention(`${typed}, and more`, typed.length, colleagues);
  expect([found?.from, found?.people.map(({ id }) => id)]).toEqual([from, ids]);
});

test.each(['', 'deniz', 'deniz@lale', '@Deniz Kaya', '@Deniz Kaya ', '@nobody', '@Deniz, '])(
  'after “%s” there is none to complete',
  (typed) => {
    expect(typedMention(typed, typed.length, colleagues)).toBeNull();
  },
);

test('of a long note the words around the mention are shown, whole', () => {
  const reader = { name: 'Deniz Kaya' };
  const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ');
  expect(noteExcerpt(' Is it\r\n fine? ', reader)).toBe('Is it fine?');
  expect(noteExcerpt(words(100), reader)).toMatch(/^word0 [\w ]{150,200}\d…$/);
  const late = noteExcerpt(`${words(100)} @deniz kaya, look. ${words(100)}`, reader);
  expect(late).toMatch(/^…word\d+ [\w ]{40,60} @deniz kaya, look\. word0 [\w ]+\d…$/);
  expect(noteExcerpt(`${words(100)} @Deniz Kaya`, reader)).toMatch(/^…word\d+ [\w ]+ @Deniz Kaya$/);
  expect(noteExcerpt('x'.repeat(300), reader)).toBe(`${'x'.repeat(200)}…`);
});
