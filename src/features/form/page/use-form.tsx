import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type ChangeEvent,
  type FocusEvent,
  useCallback,
  type RefObject,
} from 'react';
import { EMAIL_ANSWER } from '~/ui/fields/email-answer.ts';
import { useToast } from '~/ui/page/toast.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { AnswerProblem } from '../answers/check.ts';
import {
  fieldByControl,
  readControls,
  type FormFields,
  type TypedAnswers,
} from '../answers/controls.ts';
import { useLinkProblems, type LinkRefusal } from '../draft/save-later.tsx';
import type { FocusMove } from './field-left.ts';
import { useFieldErrors, type FoundProblems } from './use-field-errors.tsx';

const PAUSE_MS = 800;

/** The address to which a page's answers are sent, and the step they belong to. */
type AutosaveTarget = { address: string; step: string };

/**
 * Saves answers to the server's draft while typing, so that a reload or a lost connection loses nothing. Messages are
 * numbered; one that arrives after a later one is not written. `autosaveTarget`: null where nothing is saved.
 */
function useAutosave(
  form: RefObject<HTMLFormElement | null>,
  autosaveTarget: AutosaveTarget | null,
) {
  const heldBack = useRef<TypedAnswers>({});
  const address = autosaveTarget?.address;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pending = useRef<URLSearchParams>(undefined);
  const turn = useRef(0);

  const queue = useRef<Promise<unknown>>(Promise.resolve());

  /**
   * Sends what changes the draft one after the other: the first answer brings the cookie of the draft, and a second
   * request without it would begin another one.
   */
  const inTurn = useCallback(<T,>(work: () => Promise<T>): Promise<T> => {
    const done = queue.current.then(work);
    queue.current = done.catch(() => undefined);
    return done;
  }, []);

  const save = useCallback(async () => {
    clearTimeout(timer.current);
    const body = pending.current;
    if (!body) return;
    pending.current = undefined;
    // The response is not needed: what is lost here is sent again with Next.
    if (!address) return;
    await fetch(address, { method: 'POST', body, keepalive: true }).catch(() => undefined);
  }, [address]);

  useEffect(() => {
    /** The form is being submitted with all its answers, by the router or by the browser (another language). */
    const last = (event: SubmitEvent) => {
      if (event.target !== form.current) return;
      pending.current = undefined;
      turn.current += 1;
      const control = form.current?.elements.namedItem('turn');
      if (control instanceof HTMLInputElement) control.value = String(turn.current);
    };
    /** The page goes: no turn comes any more. */
    const saveNow = () => void save();
    addEventListener('submit', last, true);
    addEventListener('pagehide', saveNow);
    return () => {
      removeEventListener('submit', last, true);
      removeEventListener('pagehide', saveNow);
      saveNow();
    };
  }, [form, save]);

  return {
    inTurn,
    holdBack(set: TypedAnswers) {
      heldBack.current = set;
    },
    soon() {
      if (!autosaveTarget || !form.current) return;
      const body = new URLSearchParams();
      for (const [name, value] of new FormData(form.current)) {
        if (typeof value === 'string' && heldBack.current[name] !== value) body.append(name, value);
      }
      turn.current += 1;
      body.set('turn', String(turn.current));
      body.set('step', autosaveTarget.step);
      pending.current = body;
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void inTurn(save), PAUSE_MS);
    },
  };
}

/** The data of a form's page. */
export type FormPage<Field extends string> = {
  /** The values of its controls. */
  typed: TypedAnswers;
  /** Shown at once where somebody has pressed Next before. */
  problems: readonly AnswerProblem<Field>[];
  /** The draft's version; 0 before it is stored. */
  version: number;
  /** The random id of this rendering of the page. */
  page: string;
  /** The number of the unpaid application being changed; null for a new one. */
  changing: string | null;
};

/** What an action returns when the page stays. */
export type FormAnswer<Field extends string> = {
  typed?: TypedAnswers;
  problems?: readonly AnswerProblem<Field>[];
  /** Answers of another tab that this page has replaced. */
  replaced?: TypedAnswers;
  /** Why no link was sent. */
  later?: LinkRefusal;
  /** What was typed in controls that are no answers: shown again, not stored. */
  beside?: TypedAnswers;
  /** Set by the browser where the request failed to reach the server. */
  offline?: true;
};

/** What the server found in the submitted answers. */
type ServerCheck<Field extends string> = {
  problems: readonly AnswerProblem<Field>[];
  typed: TypedAnswers;
};

/** The checks while typing: loaded at the first entry, not with the page. */
export type Checks<Field extends string> = {
  /**
   * The problems of the page's answers; what only the server can find stays until its answer changes (`serverProblems`).
   */
  problemsIn: (
    entries: TypedAnswers,
    serverCheck: ServerCheck<Field>,
    form: HTMLFormElement | null,
  ) => readonly AnswerProblem<Field>[];
  /** See `field-left.ts`. */
  fieldLeft: (leaving: FocusMove, entries: TypedAnswers) => Field | undefined;
};

type FormDescription<Field extends string, Question extends Field> = {
  /** The fields on the page. */
  fields: readonly Question[];
  controls: FormFields<Question>;
  view: FormPage<Field>;
  answer: FormAnswer<Field> | undefined;
  /** Where answers are saved while typing; null where they are not. */
  autosaveTarget: AutosaveTarget | null;
  fetchChecks: () => Promise<Checks<Field>>;
  /** The fields as they stand on the page, where problems are found in another order. */
  order?: readonly Field[];
};

const noProblems: readonly never[] = [];

/** The state of one form in the browser: values and problems. */
export function useForm<Field extends string, Question extends Field = Field>({
  fields,
  controls,
  view,
  answer,
  autosaveTarget,
  fetchChecks,
  order,
}: FormDescription<Field, Question>) {
  const { t } = useTranslation();
  const { toast } = useToast();
  /** Initial values; the controls are uncontrolled from then on. */
  const start: TypedAnswers = answer?.typed ?? view.typed;
  const [typed, setTyped] = useState<TypedAnswers>(start);
  const submitted = answer ? (answer.problems ?? noProblems) : view.problems;
  const [inline, setInline] = useState<FoundProblems<Field>>(new Map());
  const element = useRef<HTMLFormElement>(null);
  const autosave = useAutosave(element, autosaveTarget);

  // Every answer of the server covers all fields: what was found since the last one is dropped.
  const [seen, setSeen] = useState(submitted);
  if (seen !== submitted) {
    setSeen(submitted);
    setInline(new Map());
  }

  const errors = useFieldErrors(controls, start, submitted, inline, order);
  const linkProblems = useLinkProblems(answer?.later);

  // An effect event, as the texts may change: only a new answer shows the toast.
  const tellOffline = useEffectEvent(() => {
    const [title, description] = [t('form:offline.title'), t('form:offline.text')];
    toast({ tone: 'error', title, description });
  });
  useEffect(() => {
    if (answer?.offline) tellOffline();
  }, [answer]);

  const read = (): TypedAnswers =>
    element.current ? readControls(controls, new FormData(element.current), fields) : typed;

  const serverCheck = { problems: submitted, typed: start };

  /** Removes the messages of fields that are right now; while one is still wrong, its message stays unchanged. */
  async function clearSolved(entries: TypedAnswers, shown: readonly Field[]) {
    const left = (await fetchChecks()).problemsIn(entries, serverCheck, element.current);
    const solved = shown.filter((field) => left.every((problem) => problem.field !== field));
    if (solved.length === 0) return;
    setInline((known) => new Map([...known, ...solved.map((field) => [field, null] as const)]));
  }

  /** A choice has nothing half typed: its message goes at once, whatever the check will say of it. */
  function clearChosen(target: EventTarget) {
    // The question about a mistyped address would go with its message, and the answer with the question.
    if (!isChoice(target) || target.name === EMAIL_ANSWER) return;
    const field = fieldByControl(controls, fields, target.name);
    if (field !== undefined && errors.problemAt(field)) {
      setInline((known) => new Map([...known, [field, null]]));
    }
  }

  function onChange(event?: ChangeEvent<HTMLFormElement>) {
    if (event) clearChosen(event.target);
    const entries = read();
    setTyped(entries);
    autosave.soon();
    // What is typed is half typed until its field is left; a calendar and other scripts write into fields without focus.
    if (event && !isChoice(event.target) && event.target === document.activeElement) return;
    const shown = fields.filter(errors.problemAt);
    if (shown.length > 0) void clearSolved(entries, shown).catch(() => undefined);
  }

  // Reads values typed before scripts ran, or restored by the browser, which fired no events.
  const readTyped = useEffectEvent(() => setTyped(read()));
  useEffect(() => readTyped(), []);

  /** Checks the field that was left, and those with a message, which may be right by now. */
  async function onBlur({ target, relatedTarget: goesTo }: FocusEvent<HTMLFormElement>) {
    const entries = read();
    const { problemsIn, fieldLeft } = await fetchChecks();
    const field = fieldLeft({ target, goesTo }, entries);
    if (!field) return;
    const problems = problemsIn(entries, serverCheck, element.current);
    const at = (one: string) => problems.find((problem) => problem.field === one) ?? null;
    setInline((shown) => {
      const again = [...shown.keys(), ...submitted.map((problem) => problem.field), field];
      return new Map(again.map((one) => [one, at(one)]));
    });
  }

  return {
    ...errors,
    summary: [...errors.summary, ...linkProblems],
    typed,
    element,
    refresh: () => onChange(),
    /** For controls that were set without being asked: until they are changed they are sent with the form alone. */
    holdBack(set: TypedAnswers) {
      autosave.holdBack(set);
      setTyped(read());
    },
    /** For problems that the page finds itself. */
    setInline,
    /** For what else is sent and changes the draft. */
    inTurn: autosave.inTurn,
    formProps: {
      ref: element,
      onBlur: (event: FocusEvent<HTMLFormElement>) => void onBlur(event).catch(() => undefined),
      onChange,
      onFocus: () => void fetchChecks().catch(() => undefined),
    },
  };
}

const isChoice = (target: EventTarget): target is HTMLSelectElement | HTMLInputElement =>
  target instanceof HTMLSelectElement ||
  (target instanceof HTMLInputElement && ['radio', 'checkbox'].includes(target.type));
