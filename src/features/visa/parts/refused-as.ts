import type { Problem } from '../rules/rule.ts';
import type { StepId } from '../rules/steps.ts';

/** One of `visa:refused.…`. */
type Refusal =
  | 'required_fields'
  | 'required_selection'
  | 'missing_information'
  | 'arrival_required'
  | 'processing_required'
  | 'prerequisites'
  | 'form';

/**
 * The message with which the customer's specification refuses a step as a whole: it heads the summary. Null where the
 * specification has none but that of the only problem.
 */
export function refusedAs(step: StepId, problems: readonly Problem[]): Refusal | null {
  const [first, ...others] = problems;
  if (!first) return null;
  const isMissing = (field: Problem['field']) =>
    problems.some((one) => one.field === field && one.code === 'required');
  switch (step) {
    case 'nationality':
      return 'required_fields';
    case 'supporting_document':
      if (isMissing('hasSupportingDocument')) return 'required_selection';
      return others.length === 0 && first.code !== 'required' ? null : 'missing_information';
    case 'arrival':
      if (isMissing('arrivalDate')) return 'arrival_required';
      return isMissing('processingType') && others.length === 0 ? 'processing_required' : null;
    case 'prerequisites':
      return 'prerequisites';
    default:
      return others.length === 0 ? null : 'form';
  }
}
