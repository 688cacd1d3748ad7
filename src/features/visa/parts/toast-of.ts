import type { Problem } from '../rules/rule.ts';
import type { StepId } from '../rules/steps.ts';

/** The toast of a step with problems: one of `visa:toast.…`, or the text of its only problem. */
export type StepToast = { key: ToastKey } | { problem: Problem };

type ToastKey =
  | 'required_fields'
  | 'required_selection'
  | 'missing_information'
  | 'arrival_required'
  | 'processing_required'
  | 'prerequisites'
  | 'form';

/**
 * The customer's specification answers each problem of a step by a toast of its own words. One toast at a time, so several
 * problems share one.
 */
export function toastOf(step: StepId, problems: readonly Problem[]): StepToast | null {
  const [first, ...others] = problems;
  if (!first) return null;
  const isMissing = (field: Problem['field']) =>
    problems.some((one) => one.field === field && one.code === 'required');
  switch (step) {
    case 'nationality':
      return { key: 'required_fields' };
    case 'supporting_document':
      if (isMissing('hasSupportingDocument')) return { key: 'required_selection' };
      return others.length === 0 && first.code !== 'required'
        ? { problem: first }
        : { key: 'missing_information' };
    case 'arrival':
      if (isMissing('arrivalDate')) return { key: 'arrival_required' };
      return first.field === 'processingType' && first.code === 'required'
        ? { key: 'processing_required' }
        : { problem: first };
    case 'prerequisites':
      return { key: 'prerequisites' };
    default:
      return others.length === 0 ? { problem: first } : { key: 'form' };
  }
}
