import {
  draftContentOf,
  write as writeStep,
  type DraftContent as Content,
  type Writing as WritingOf,
  type Written as WrittenOf,
} from '~/features/draft/draft-content.ts';
import * as z from 'zod/mini';
import { questionControls } from '../rules/typed.ts';

/** All questions stand on one page. */
export type Step = 'form';

export type DraftContent = Content<Step>;
export type Writing = Omit<WritingOf<Step>, 'step'>;

const content = draftContentOf(['form']);
/** As drafts were kept before they had versions: the controls alone. */
const controlsAlone = z.record(z.string(), z.string());

/** Reads what was sealed; throws for anything else. */
export function readContent(sealed: unknown): DraftContent {
  const alone = controlsAlone.safeParse(sealed);
  return alone.success ? { typed: alone.data, attempted: [], written: {} } : content.parse(sealed);
}

/** Writes the form into a draft; `version` is the one that this makes. */
export const write = (old: DraftContent, version: number, writing: Writing): WrittenOf<Step> =>
  writeStep<Step>(
    {
      controlsOf: () => questionControls,
      retype: (before, entries) => ({ ...before, ...entries }),
      begunAnew: () => [],
    },
    old,
    version,
    { ...writing, step: 'form' },
  );
