import type { TextField } from '~/ui/fields/text-field.tsx';

type Line = Pick<
  Parameters<typeof TextField>[0],
  'autoCapitalize' | 'autoComplete' | 'inputMode' | 'latin' | 'spellCheck' | 'type' | 'width'
>;

/** How a question is asked: in one line, in several, or as a date in three controls. */
export type Input =
  | ({ kind: 'line' } & Line)
  | { kind: 'area'; autoComplete: string }
  | { kind: 'date'; isBirthday?: true };

const line = (more: Line = {}): Input => ({ kind: 'line', autoComplete: 'off', ...more });
const [latin, wide] = [line({ latin: true }), line({ latin: true, width: 'full' })];
const date: Input = { kind: 'date' };

/** The questions that are typed, alike in every form that asks them; what is chosen stands with its choices on its page. */
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
  destination: line(),
} as const satisfies Record<string, Input>;

/** A question that is typed. */
export type Asked = keyof typeof inputs;
