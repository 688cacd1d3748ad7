import { controlsOfForm, type Typed } from '~/features/form/answers/controls.ts';
import { mayBeUnlimited, type Answers, type Field } from './answers.ts';
import { voidedByCountry } from './journey.ts';
import { fields } from './steps.ts';

/** Ticked for a document that does not end; the API says so in `supportingDocumentEndDate`. */
export const UNLIMITED = 'supportingDocumentUnlimited';
/** Whose choice the processing type is: see `~/base/default-choice.ts`. */
export const WISH = 'processingTypeWish';

export const visaControls = controlsOfForm<Field>({
  fields,
  dates: [
    'supportingDocumentStartDate',
    'supportingDocumentEndDate',
    'arrivalDate',
    'dateOfBirth',
    'passportIssueDate',
    'passportExpiryDate',
  ],
  beside: { supportingDocumentEndDate: [UNLIMITED] },
  choosers: { processingType: [WISH] },
});

export const { controlsOf, controlsOfAll, readTyped } = visaControls;

/** The answers that the controls give, in the API's form. */
export function answersOf(typed: Typed): Answers {
  const answers = visaControls.answersOf(typed);
  if (mayBeUnlimited(answers)) {
    if (typed[UNLIMITED]) answers.supportingDocumentEndDate = 'unlimited';
  }
  // The page shows the start to holders of a Schengen visa alone; what was typed before for another document is over.
  if (answers.supportingDocumentType !== 'visa' || answers.visaCountry !== 'SCHENGEN') {
    answers.supportingDocumentStartDate = '';
  }
  return answers;
}

/** New entries over old ones; another country voids what depended on the old one. */
export function retype(old: Typed, entries: Typed): Typed {
  const changed = entries.countryId !== undefined && entries.countryId !== (old.countryId ?? '');
  if (!changed) return { ...old, ...entries };
  const voided = new Set(controlsOfAll(voidedByCountry));
  const kept = Object.entries(old).filter(([control]) => !voided.has(control));
  return { ...Object.fromEntries(kept), ...entries };
}

/** The controls that give these answers: what `answersOf` reads. */
export const typedOf = (answers: Answers, some: readonly Field[] = fields): Typed => ({
  ...visaControls.typedOf(answers, some),
  ...(some.includes('supportingDocumentEndDate') &&
    answers.supportingDocumentEndDate === 'unlimited' && { [UNLIMITED]: 'yes' }),
});
