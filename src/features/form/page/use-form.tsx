import { useEffect, useEffectEvent, useRef, useState, type FocusEvent } from 'react';
import type { Message } from '~/features/application/words.ts';
import { useToast } from '~/ui/toast/toast.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { Problem } from '../answers/check.ts';
import { readControls, type FormFields, type Typed } from '../answers/controls.ts';
import type { FormName } from '../answers/problem-message.ts';
import type { LinkRefusal } from '../draft/save-later.tsx';
import { useKeep, type KeptAs } from '../draft/use-keep.tsx';
import type { Leaving } from './field-left.ts';
import { useFieldErrors, type Found } from './use-field-errors.tsx';

/** What the page of a form is shown from. */
export type FormPage<Field extends string> = {
  /** What its controls hold. */
  typed: Typed;
  /** Shown from the first where somebody has tried to go on. */
  problems: readonly Problem<Field>[];
  /** Of the draft; 0 is one that nobody has kept yet. */
  version: number;
  /** Names this opening of the page. */
  page: string;
  /** The number of the unpaid application that is changed; null for a new one. */
  changing: string | null;
};

/** What a page gets back when it is not left. */
export type FormAnswer<Field extends string> = {
  typed?: Typed;
  problems?: readonly Problem<Field>[];
  /** Answers from another tab that this page has replaced. */
  replaced?: Typed;
  /** Why no link was sent. */
  later?: LinkRefusal;
  /** Set in the browser: the request did not reach us. */
  offline?: true;
};

/** What the server said of what was sent. */
export type Judged<Field extends string> = { problems: readonly Problem<Field>[]; typed: Typed };

/** What a form looks for while it is answered: fetched when somebody begins to, not with the page. */
export type Checks<Field extends string> = {
  /** What is wrong with what a page holds; what only the server finds stays as it was judged (`stillJudged`). */
  problemsIn: (
    entries: Typed,
    judged: Judged<Field>,
    form: HTMLFormElement | null,
  ) => readonly Problem<Field>[];
  /** See `field-left.ts`. */
  fieldLeft: (leaving: Leaving, entries: Typed) => Field | undefined;
};

type FormDescription<Field extends string, Question extends Field> = {
  form: FormName;
  /** What is asked on the page. */
  fields: readonly Question[];
  controls: FormFields<Question>;
  view: FormPage<Field>;
  answer: FormAnswer<Field> | undefined;
  /** Where and as what it is kept while it is typed; null where it is not. */
  keptAs: KeptAs | null;
  fetchChecks: () => Promise<Checks<Field>>;
  /** What the toast says of what was sent; the summary says the same. */
  toastOf: (
    problems: readonly Problem<Field>[],
    words: (problem: Problem<Field>) => Message,
  ) => Promise<Message | null | undefined>;
};

const offlineWords = { visa: 'visa:payment.offline', insurance: 'insurance:offline' } as const;

const noProblems: readonly never[] = [];

/** One form in the browser: what it holds now, what is wrong with it, and what the toast says. */
export function useForm<Field extends string, Question extends Field = Field>({
  form,
  fields,
  controls,
  view,
  answer,
  keptAs,
  fetchChecks,
  toastOf,
}: FormDescription<Field, Question>) {
  const { t } = useTranslation();
  const { toast } = useToast();
  /** What controls begin with; they are the browser's from then on. */
  const start: Typed = answer?.typed ?? view.typed;
  const [typed, setTyped] = useState<Typed>(start);
  const submitted = answer ? (answer.problems ?? noProblems) : view.problems;
  const [inline, setInline] = useState<Found<Field>>(new Map());
  const element = useRef<HTMLFormElement>(null);
  const keep = useKeep(element, keptAs);

  // A new answer from the server is about everything: what was found since the last one is over.
  const [seen, setSeen] = useState(submitted);
  if (seen !== submitted) {
    setSeen(submitted);
    setInline(new Map());
  }

  const errors = useFieldErrors(form, start, submitted, inline);

  // The words are the page's own: what matters is that an answer came.
  const tell = useEffectEvent((found: readonly Problem<Field>[], isOffline: boolean) => {
    if (isOffline) {
      const key = offlineWords[form];
      toast({ tone: 'error', title: t(`${key}.title`), description: t(`${key}.text`) });
    }
    if (found.length === 0) return;
    window.scrollTo({ top: 0 });
    // The summary says the same: a toast whose words cannot be fetched is left out.
    toastOf(found, errors.words)
      .then(
        (first) => first && toast({ tone: 'error', title: first.title, description: first.text }),
      )
      .catch(() => undefined);
  });
  useEffect(() => tell(submitted, Boolean(answer?.offline)), [answer, submitted]);

  const read = (): Typed =>
    element.current ? readControls(controls, new FormData(element.current), fields) : typed;

  const judged = { problems: submitted, typed: start };

  /** A message goes as soon as its field is right. One that is still being mended keeps its message as it is. */
  async function clearSolved(entries: Typed, shown: readonly Field[]) {
    const left = (await fetchChecks()).problemsIn(entries, judged, element.current);
    const solved = shown.filter((field) => left.every((problem) => problem.field !== field));
    if (solved.length === 0) return;
    setInline((known) => new Map([...known, ...solved.map((field) => [field, null] as const)]));
  }

  function onChange() {
    const entries = read();
    setTyped(entries);
    keep.soon();
    const shown = fields.filter(errors.problemAt);
    if (shown.length > 0) void clearSolved(entries, shown).catch(() => undefined);
  }

  // What was typed before the scripts came, or brought back by the browser, told nobody.
  const readTyped = useEffectEvent(() => setTyped(read()));
  useEffect(() => readTyped(), []);

  /** Checks a field that was left, and those that showed a problem: it may be solved now. */
  async function onBlur({ target, relatedTarget: goesTo }: FocusEvent<HTMLFormElement>) {
    const entries = read();
    const { problemsIn, fieldLeft } = await fetchChecks();
    const field = fieldLeft({ target, goesTo }, entries);
    if (!field) return;
    const problems = problemsIn(entries, judged, element.current);
    const at = (one: string) => problems.find((problem) => problem.field === one) ?? null;
    setInline((shown) => {
      const again = [...shown.keys(), ...submitted.map((problem) => problem.field), field];
      return new Map(again.map((one) => [one, at(one)]));
    });
  }

  return {
    ...errors,
    typed,
    element,
    refresh: onChange,
    /** For what the page itself finds at a field. */
    setInline,
    formProps: {
      ref: element,
      onBlur: (event: FocusEvent<HTMLFormElement>) => void onBlur(event).catch(() => undefined),
      onChange,
      onFocus: () => void fetchChecks().catch(() => undefined),
    },
  };
}
