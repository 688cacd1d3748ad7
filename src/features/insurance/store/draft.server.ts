import { readFormAnswers, fieldControls } from '~/features/form/answers/controls.ts';
import type { DraftForm } from '~/features/form/draft/draft-content.ts';
import { questionNames } from '../rules/answers.ts';
import { insuranceForm } from '../rules/typed.ts';

/** All questions are on one page. */
export const STEP = 'form';

/** The insurance form's drafts. */
export const insuranceDrafts: DraftForm = {
  name: 'insurance',
  cookie: 'lale_insurance',
  paymentPath: (number) => `/insurance/payment?ref=${number}`,
  controlsOf: () => questionNames.flatMap((question) => fieldControls(insuranceForm, question)),
  mergeTyped: (before, entries) => ({ ...before, ...entries }),
  begunAnew: () => [],
  // The plan's label is a question.
  answersIn: (typed) => ({ ...readFormAnswers(insuranceForm, typed), productId: '' }),
  nationality: 'nationality',
  firstDay: 'travelDate',
};
