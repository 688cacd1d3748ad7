import type { TextField } from '~/ui/fields/text-field.tsx';

type Line = Pick<
  Parameters<typeof TextField>[0],
  | 'autoCapitalize'
  | 'autoComplete'
  | 'autoCorrect'
  | 'inputMode'
  | 'latin'
  | 'spellCheck'
  | 'type'
  | 'width'
>;

/** The kind of control: one line, several lines, or a date in three controls. */
export type Input =
  | ({ kind: 'line' } & Line)
  | ({ kind: 'area' } & Pick<Line, 'autoComplete' | 'autoCorrect' | 'latin' | 'spellCheck'>)
  | { kind: 'date'; isBirthday?: true };

const line = (more: Line = {}): Input => ({ kind: 'line', autoComplete: 'off', ...more });
/** Phones and browsers would correct names, places and numbers to words of their dictionaries. */
const asTyped = { autoCorrect: 'off', latin: true, spellCheck: false } as const;

/** The controls of typed questions, alike in every form; questions with choices are on their pages. */
export const inputs = {
  lastName: line({ ...asTyped, autoComplete: 'family-name', width: 'full' }),
  firstName: line({ ...asTyped, autoComplete: 'given-name', width: 'full' }),
  passportNumber: line({ ...asTyped, autoCapitalize: 'characters' }),
  latin: line(asTyped),
  wideLatin: line({ ...asTyped, width: 'full' }),
  date: { kind: 'date' },
  birthday: { kind: 'date', isBirthday: true },
  email: line({
    ...asTyped,
    autoComplete: 'email',
    inputMode: 'email',
    type: 'email',
    width: 'email',
  }),
  phone: line({ autoComplete: 'tel', inputMode: 'tel', latin: true, type: 'tel' }),
  address: { kind: 'area', ...asTyped, autoComplete: 'street-address' },
} as const satisfies Record<string, Input>;
