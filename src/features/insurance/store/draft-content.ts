import { controlsOf } from '~/features/form/answers/controls.ts';
import {
  draftContentOf,
  write as writeStep,
  type DraftContent as Content,
  type Writing as WritingOf,
  type Written as WrittenOf,
} from '~/features/form/draft/draft-content.ts';
import { questionNames } from '../rules/answers.ts';
import { insuranceForm } from '../rules/typed.ts';

/** All questions are on one page. */
export type Step = 'form';

export type DraftContent = Content<Step>;
export type Writing = Omit<WritingOf<Step>, 'step'>;

export const draftContent = draftContentOf(['form']);

/** Writes the form into a draft; `version`: the draft's next version. */
export const write = (old: DraftContent, version: number, writing: Writing): WrittenOf<Step> =>
  writeStep<Step>(
    {
      controlsOf: () => questionNames.flatMap((question) => controlsOf(insuranceForm, question)),
      mergeTyped: (before, entries) => ({ ...before, ...entries }),
      begunAnew: () => [],
    },
    old,
    version,
    { ...writing, step: 'form' },
  );
