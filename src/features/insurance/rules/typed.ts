import { controlsOfForm } from '~/features/form/answers/controls.ts';
import { questionNames } from './answers.ts';

/** Which plan the page had selected, and which one the visitor chose himself: `plan-choice.ts`. */
export const PLAN_SHOWN = 'planShown';
export const PLAN_WISH = 'planWish';

export const insuranceControls = controlsOfForm({
  fields: questionNames,
  dates: ['travelDate', 'returnDate', 'dateOfBirth'],
  choosers: { productId: [PLAN_SHOWN, PLAN_WISH] },
});

export const { answersOf, readTyped, typedOf } = insuranceControls;
