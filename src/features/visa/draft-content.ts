import * as z from 'zod/mini';
import { stepOf, steps, type StepId } from './steps.ts';
import { controlsOfAll, retype, type Typed } from './wizard/typed.ts';

const stepId = z.enum(steps.map(({ id }) => id));

/** What a draft holds, sealed. */
export const draftContent = z.object({
  /** Every control as it was left, valid or not. */
  typed: z.record(z.string(), z.string()),
  /** Steps on which Next was pressed: there, what is wrong is shown from the first. */
  attempted: z.array(stepId),
  /** Which opened page wrote a step last, and which version of the draft that made. */
  written: z.partialRecord(
    stepId,
    z.object({ version: z.number(), page: z.string(), turn: z.number() }),
  ),
});
export type DraftContent = z.infer<typeof draftContent>;

export const emptyDraft: DraftContent = { typed: {}, attempted: [], written: {} };

/** What an opened page sends about one step. */
export type Writing = {
  step: StepId;
  entries: Typed;
  /** Made anew whenever a page is rendered: two tabs differ, Back into the same page does not. */
  page: string;
  /** The draft's version when the page was rendered. */
  seen: number;
  /** Counts what this page has sent; something older that arrives late is not written. */
  turn: number;
  /** next, or another button, or nothing but the passing of time: see `use-keep.tsx`. */
  by: 'next' | 'button' | 'itself';
};

export type Written = {
  content: DraftContent;
  /** Controls whose answer another page had changed meanwhile, with that answer. The last write counts, but is said. */
  replaced: Typed;
};

/** Steps whose answers a new country voids: their old problems are over as well. */
const begunAnew: readonly StepId[] = ['supporting_document', 'arrival', 'prerequisites'];

/** Writes one step into a draft; `version` is the one that this makes. */
export function write(old: DraftContent, version: number, writing: Writing): Written {
  const { step, entries, page, seen, turn } = writing;
  const last = old.written[step];
  const isSamePage = last?.page === page;
  if (isSamePage && turn < last.turn) return { content: old, replaced: {} };

  const isFromElsewhere = last !== undefined && !isSamePage && last.version > seen;
  const replaced = isFromElsewhere ? differences(step, old.typed, entries) : {};
  // What nobody has asked to write replaces nothing: the traveller hears of it at the next button.
  if (writing.by === 'itself' && Object.keys(replaced).length > 0) {
    return { content: old, replaced };
  }
  const typed = retype(old.typed, entries);
  const isNewCountry = (old.typed.countryId ?? '') !== (typed.countryId ?? '');
  const attempted = new Set(
    isNewCountry ? old.attempted.filter((one) => !begunAnew.includes(one)) : old.attempted,
  );
  if (writing.by === 'next') attempted.add(step);
  return {
    content: {
      typed,
      attempted: [...attempted],
      written: { ...old.written, [step]: { version, page, turn } },
    },
    replaced,
  };
}

function differences(step: StepId, before: Typed, after: Typed): Typed {
  const controls = controlsOfAll(stepOf(step).fields);
  return Object.fromEntries(
    controls.flatMap((control) => {
      const was = before[control] ?? '';
      return was !== '' && was !== (after[control] ?? '') ? [[control, was]] : [];
    }),
  );
}
