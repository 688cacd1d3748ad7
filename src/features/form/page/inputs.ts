import type { TextField } from '~/ui/fields/text-field.tsx';

type Line = Pick<
  Parameters<typeof TextField>[0],
  'autoCapitalize' | 'autoComplete' | 'inputMode' | 'latin' | 'spellCheck' | 'type' | 'width'
>;

/** The kind of control: one line, several lines, or a date in three controls. */
export type Input =
  | ({ kind: 'line' } & Line)
  | { kind: 'area'; autoComplete: string }
  | { kind: 'date'; isBirthday?: true };

const line = (more: Line = {}): Input => ({ kind: 'line', autoComplete: 'off', ...more });
const [latin, wide] = [line({ latin: true }), line({ latin: true, width: 'full' })];
const date: Input = { kind: 'date' };

/** The typed questions, alike in every form; questions with choices are on their pages. */
export const inputs = {
  lastName: line({ autoComplete: 'family-name', latin: true, width: 'full' }),
  firstName: line({ autoComplete: 'given-name', latin: true, width: 'full' }),
  passportNumber: line({ autoCapitalize: 'characters', latin: true, spellCheck: false }),
  dateOfBirth: { kind: 'date', isBirthday: true },
  placeOfBirth: latin,
  passportIssueDate: date,
  passportExpiryDate: date,
  motherName: wide,
  fatherName: wide,
  email: line({
    autoComplete: 'email',
    inputMode: 'email',
    latin: true,
    spellCheck: false,
    type: 'email',
    width: 'email',
  }),
  phone: line({ autoComplete: 'tel', inputMode: 'tel', latin: true, type: 'tel' }),
  address: { kind: 'area', autoComplete: 'street-address' },
  arrivalDate: date,
  supportingDocumentNumber: latin,
  supportingDocumentStartDate: date,
  supportingDocumentEndDate: date,
  travelDate: date,
  returnDate: date,
} as const satisfies Record<string, Input>;

/** A typed question. */
export type InputField = keyof typeof inputs;
