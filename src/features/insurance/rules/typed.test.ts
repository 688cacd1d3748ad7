import fc from 'fast-check';
import { expect, it } from 'vitest';
import { answersOf, typedOf } from './typed.ts';

const name = fc.constantFrom('Suharto', 'Thandi', 'Nkosi', 'De la Cruz');

it('controls for stored answers give the same answers again, and change a single name in both places', () => {
  const stored = { travelDate: '2026-12-12', returnDate: '2026-12-31', phone: '+27315550142' };
  fc.assert(
    fc.property(name, name, name, (firstName, lastName, changed) => {
      const answers = { ...stored, firstName, lastName };
      const typed = typedOf(answers);
      expect(answersOf(typed)).toMatchObject(answers);
      expect(answersOf({ ...typed, lastName: changed })).toMatchObject({
        lastName: changed,
        firstName: firstName === lastName ? changed : firstName,
      });
    }),
  );
});
