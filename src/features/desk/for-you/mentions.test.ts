import { expect, test } from 'vitest';
import { mentionedIn } from './mentions.ts';

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
  expect(mentionedIn(note, people).map(({ id }) => id)).toEqual(ids);
});
