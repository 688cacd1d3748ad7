import { useEffect, useRef, useState, type FocusEvent } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { FieldProblem } from '~/ui/fields/error-summary.tsx';
import { useToast } from '~/ui/toast/toast.tsx';
import type { Typed } from '~/features/form/answers/controls.ts';
import { messageOf } from '~/features/form/answers/problem-message.ts';
import { pathOf, type Answers, type CountryTerms, type Field } from '../rules/answers.ts';
import type { Problem } from '../rules/rule.ts';
import type { StepAnswer, StepView } from './step-view.ts';
import { stepOf } from '../rules/steps.ts';
import { answersOf, controlsOf, readTyped, visaControls } from '../rules/typed.ts';
import { useKeep } from '~/features/form/draft/use-keep.tsx';
import { asLine, asSentences } from '~/features/application/words.ts';

/** Every question and every rule: fetched when somebody begins to answer, not with the page. */
const fetchChecks = () => import('./browser-checks.ts');

/** Looking at countries must not void what belongs to the chosen one: that step is kept by its button alone. */
const notKept: readonly StepView['step'][] = ['nationality', 'review'];

const noProblems: readonly Problem[] = [];

/** One step's form in the browser: what it holds now, what is wrong with it, and what the toast says. */
export function useStepForm(
  view: StepView,
  answer: StepAnswer | undefined,
  now: Date,
  countryFor: (typed: Typed) => CountryTerms | null = () => view.country,
) {
  const { t } = useTranslation('visa');
  const language = useLanguage();
  const { toast } = useToast();
  const step = stepOf(view.step);
  /** What controls begin with; they are the browser's from then on. */
  const start: Typed = answer?.typed ?? view.typed;
  const [typed, setTyped] = useState<Typed>(start);
  const submitted = answer ? (answer.problems ?? noProblems) : view.problems;
  const [inline, setInline] = useState<ReadonlyMap<Field, Problem | null>>(new Map());
  const form = useRef<HTMLFormElement>(null);
  const isKept = view.version > 0 && !notKept.includes(view.step);
  const keep = useKeep(form, isKept ? '/application/keep' : null, view.step);

  // A new answer from the server is about everything: what was found since the last one is over.
  const [seen, setSeen] = useState(submitted);
  if (seen !== submitted) {
    setSeen(submitted);
    setInline(new Map());
  }

  const words = (problem: Problem) => messageOf(t, language, 'visa', problem);

  useEffect(() => {
    if (answer?.offline) {
      toast({
        tone: 'error',
        title: t('payment.offline.title'),
        description: t('payment.offline.text'),
      });
    }
    if (submitted.length === 0) return;
    window.scrollTo({ top: 0 });
    void sayProblems().catch(() => undefined);
    // The words are the page's own: what matters is that an answer came.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [answer, submitted]);

  /** The summary says the same: a toast whose words cannot be fetched is left out. */
  async function sayProblems() {
    const { toastOf } = await import('./toast-of.ts');
    const found = toastOf(view.step, submitted);
    if (!found) return;
    const { title, text } =
      'key' in found
        ? { title: t(`toast.${found.key}.title`), text: t(`toast.${found.key}.text`) }
        : words(found.problem);
    toast({ tone: 'error', title, description: text });
  }

  const answersNow = (entries: Typed): Answers => {
    const all = answersOf(entries);
    return {
      ...view.answers,
      ...Object.fromEntries(step.fields.map((field) => [field, all[field] ?? ''])),
    };
  };

  function read(): Typed {
    return form.current ? readTyped(new FormData(form.current), step.fields) : typed;
  }

  function onChange() {
    const entries = read();
    setTyped(entries);
    keep.soon();
    if (problemFields().length > 0) void clearSolved(entries).catch(() => undefined);
  }

  const sent = (entries: Typed) => ({ entries, judged: { problems: submitted, typed: start } });

  const problemFields = (): Field[] =>
    [...new Set([...inline.keys(), ...submitted.map(({ field }) => field)])].filter(problemAt);

  /** A message goes as soon as its field is right. One that is still being mended keeps its message as it is. */
  async function clearSolved(entries: Typed) {
    const fields = problemFields();
    const { problemsAt } = await fetchChecks();
    const left = problemsAt(
      view.step,
      answersNow(entries),
      { now, country: countryFor(entries) },
      sent(entries),
    );
    const solved = fields.filter((field) => left.every((problem) => problem.field !== field));
    if (solved.length === 0) return;
    setInline((known) => new Map([...known, ...solved.map((field) => [field, null] as const)]));
  }

  // What was typed before the scripts came, or brought back by the browser, told nobody.
  useEffect(() => {
    setTyped(read());
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  /** Checks a field that was left, and those that showed a problem: it may be solved now. */
  async function onBlur(event: FocusEvent<HTMLFormElement>) {
    const field = fieldOf(step.fields, nameOf(event.target));
    const goesTo = event.relatedTarget;
    if (!field || fieldOf(step.fields, nameOf(goesTo)) === field) return;
    // The list of countries has a search of its own.
    if (goesTo && event.target.closest('.country-field')?.contains(goesTo)) return;
    const isLeaving = goesTo instanceof HTMLButtonElement || goesTo instanceof HTMLAnchorElement;
    const entries = read();
    const isEmpty = controlsOf(field).every((control) => !entries[control]);
    if (isLeaving || (isEmpty && goesTo === null)) return;
    const { problemsAt } = await fetchChecks();
    const situation = { now, country: countryFor(entries) };
    const problems = problemsAt(view.step, answersNow(entries), situation, sent(entries));
    const at = (one: Field) => problems.find((problem) => problem.field === one) ?? null;
    setInline((shown) => {
      const again = [...shown.keys(), ...submitted.map((problem) => problem.field), field];
      return new Map(again.map((one) => [one, at(one)]));
    });
  }

  function problemAt(field: Field): Problem | null {
    const found = inline.get(field);
    return found === undefined ? (submitted.find((one) => one.field === field) ?? null) : found;
  }

  const country = countryFor(typed);
  /** What was sent and is still wrong. What is found while somebody types stands at its field alone. */
  const summary: FieldProblem[] = submitted.flatMap(({ field }) => {
    const problem = problemAt(field);
    return problem ? { name: field, message: asLine(words(problem), language) } : [];
  });

  return {
    start,
    typed,
    country,
    path: pathOf(country),
    answers: answersNow(typed),
    summary,
    replaced: answer?.replaced ?? view.replaced,
    errorAt: (field: Field): string | undefined => {
      const problem = problemAt(field);
      return problem ? asSentences(words(problem)) : undefined;
    },
    /** What the address was probably meant to be, where that is asked. */
    askedEmail: problemAt('email')?.suggestion ?? null,
    refresh: onChange,
    formProps: {
      ref: form,
      onBlur: (event: FocusEvent<HTMLFormElement>) => void onBlur(event).catch(() => undefined),
      onChange,
      onFocus: () => void fetchChecks().catch(() => undefined),
    },
  };
}

export type StepForm = ReturnType<typeof useStepForm>;

const nameOf = (target: EventTarget | null): string =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLSelectElement ||
  target instanceof HTMLTextAreaElement
    ? target.name
    : '';

const fieldOf = (some: readonly Field[], control: string): Field | undefined =>
  visaControls.fieldOf(control, some);
