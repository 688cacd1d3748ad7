import { controlsOf } from '~/features/form/answers/controls.ts';
import {
  draftContentOf,
  write as writeStep,
  type DraftContent as Content,
  type Writing as WritingOf,
  type Written as WrittenOf,
} from '~/features/form/draft/draft-content.ts';
import { stepIds, stepOf, type StepId } from '../rules/steps.ts';
import { mergeTyped } from '../rules/merge-typed.ts';
import { visaForm } from '../rules/typed.ts';

export const draftContent = draftContentOf(stepIds);

export type DraftContent = Content<StepId>;
export type Writing = WritingOf<StepId>;
export type Written = WrittenOf<StepId>;

/** Steps whose answers a new country voids, so that their old problems no longer count. */
const begunAnew: readonly StepId[] = ['supporting_document', 'arrival', 'prerequisites'];

/** Writes one step into a draft; `version`: the draft's next version. */
export const write = (old: DraftContent, version: number, writing: Writing): Written =>
  writeStep<StepId>(
    {
      // Who chose the processing type is no answer; the answer itself shows it.
      controlsOf: (step) => stepOf(step).fields.flatMap((field) => controlsOf(visaForm, field)),
      mergeTyped,
      begunAnew: (before, now) =>
        (before.countryId ?? '') === (now.countryId ?? '') ? [] : begunAnew,
    },
    old,
    version,
    writing,
  );
