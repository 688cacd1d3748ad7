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
const [latin, wide] = [line(asTyped), line({ ...asTyped, width: 'full' })];
const date: Input = { kind: 'date' };

/** The typed questions, alike in every form; questions with choices are on their pages. */
export const inputs = {
  lastName: line({ ...asTyped, autoComplete: 'family-name', width: 'full' }),
  firstName: line({ ...asTyped, autoComplete: 'given-name', width: 'full' }),
  passportNumber: line({ ...asTyped, autoCapitalize: 'characters' }),
  dateOfBirth: { kind: 'date', isBirthday: true },
  placeOfBirth: latin,
  passportIssueDate: date,
  passportExpiryDate: date,
  motherName: wide,
  fatherName: wide,
  email: line({
    ...asTyped,
    autoComplete: 'email',
    inputMode: 'email',
    type: 'email',
    width: 'email',
  }),
  phone: line({ autoComplete: 'tel', inputMode: 'tel', latin: true, type: 'tel' }),
  address: { kind: 'area', ...asTyped, autoComplete: 'street-address' },
  arrivalDate: date,
  supportingDocumentNumber: latin,
  supportingDocumentStartDate: date,
  supportingDocumentEndDate: date,
  travelDate: date,
  returnDate: date,
} as const satisfies Record<string, Input>;

/** A typed question. */
export type InputField = keyof typeof inputs;
