import { useEffect, useRef, useState, type FocusEvent } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { usePage } from '~/ui/page/page-context.tsx';
import { useKeep } from '~/features/form/draft/use-keep.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { isServersAlone, leavePhoneToServer } from '~/features/application/phone.ts';
import { asLine, asSentences } from '~/features/application/words.ts';
import type { FieldProblem } from '~/ui/fields/error-summary.tsx';
import { useToast } from '~/ui/toast/toast.tsx';
import { dateTyped, type Typed } from '~/features/form/answers/controls.ts';
import { messageOf } from '~/features/form/answers/problem-message.ts';
import { usePlanMoved } from './use-plan-moved.tsx';
import { type Field, type Situation } from '../rules/answers.ts';
import { check, type Problem } from '../rules/check.ts';
import type { FormAnswer, FormView } from './form-view.ts';
import { LARGEST_PHOTO_BYTES, MOST_PHOTOS } from '~/features/form/answers/limits.ts';
import { choiceIn } from '../rules/plan-choice.ts';
import { isMinor, selectPlan, tripDays } from '../rules/trip.ts';
import { answersOf, insuranceControls, readTyped } from '../rules/typed.ts';

const noProblems: readonly Problem[] = [];
const noReplaced: Typed = {};

/** The form in the browser: what it holds now, what that costs, what is wrong with it, and what the toast says. */
export function useInsuranceForm(view: FormView, answer: FormAnswer | undefined) {
  const { t } = useTranslation('insurance');
  const language = useLanguage();
  const { toast } = useToast();
  const form = useRef<HTMLFormElement>(null);
  const { post } = usePage();
  const [keeping, setKeeping] = useState<{ isOn: boolean; answer?: FormAnswer }>({ isOn: false });
  /** What controls begin with; they are the browser's from then on. */
  const start: Typed = answer?.typed ?? view.typed;
  const [photos, setPhotos] = useState(answer?.photos ?? view.photos);
  // Whoever spoke last knows which photos there are.
  const [byPage, byAnswer, byKeeper] = [view.photos, answer?.photos, keeping.answer?.photos];
  useEffect(() => setPhotos(byPage), [byPage]);
  useEffect(() => {
    if (byAnswer) setPhotos(byAnswer);
  }, [byAnswer]);
  useEffect(() => {
    if (byKeeper) setPhotos(byKeeper);
  }, [byKeeper]);
  const [typed, setTyped] = useState<Typed>(start);
  const submitted = answer ? (answer.problems ?? noProblems) : view.problems;
  const keep = useKeep(form, '/insurance/keep', 'form');
  const [inline, setInline] = useState<ReadonlyMap<Field, Problem | null>>(new Map());

  const refusedPhotos = keeping.answer?.problems;
  useEffect(() => {
    if (!refusedPhotos) return;
    const [problem] = refusedPhotos;
    setInline((shown) => new Map([...shown, ['parentIdPhotos', problem ?? null]]));
  }, [refusedPhotos]);

  // A new answer from the server is about everything: what was found since the last one is over.
  const [seen, setSeen] = useState(submitted);
  if (seen !== submitted) {
    setSeen(submitted);
    setInline(new Map());
  }

  const words = (problem: Problem) => messageOf(t, language, 'insurance', problem);

  useEffect(() => {
    if (answer?.offline) {
      toast({ tone: 'error', title: t('offline.title'), description: t('offline.text') });
    }
    const [first] = submitted;
    if (answer?.priceChange) window.scrollTo({ top: 0 });
    if (!first) return;
    const { title, text } = words(first);
    toast({ tone: 'error', title, description: text });
    window.scrollTo({ top: 0 });
    // The words are the page's own: what matters is that an answer came.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [answer, submitted]);

  const read = (): Typed => (form.current ? readTyped(new FormData(form.current)) : typed);

  // What was typed before the scripts came, or brought back by the browser, told nobody.
  useEffect(() => {
    setTyped(read());
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  const situation = (): Situation => ({
    now: new Date(view.now),
    plans: view.plans,
    readPhone: leavePhoneToServer,
    photos: photos.length + chosenFiles(form.current).length,
    isNationality: (code) => view.countries.some(({ id }) => id === code),
  });

  /** Checks a field that was left, and those that showed a problem: it may be solved now. */
  function onBlur(event: FocusEvent<HTMLFormElement>) {
    const field = fieldOf(nameOf(event.target));
    const goesTo = event.relatedTarget;
    if (!field || fieldOf(nameOf(goesTo)) === field) return;
    const isLeaving = goesTo instanceof HTMLButtonElement || goesTo instanceof HTMLAnchorElement;
    const entries = read();
    const isEmpty = (
      field === 'parentIdPhotos' ? [field] : insuranceControls.controlsOf(field)
    ).every((control) => !entries[control]);
    if (isLeaving || isEmpty) return;
    const { problems } = check(answersOf(entries), situation());
    const isSame = ['phone', 'nationality'].every((name) => entries[name] === start[name]);
    const kept = isSame ? submitted.filter(isServersAlone) : [];
    const all = [...problems, ...kept];
    const at = (one: Field) => all.find((problem) => problem.field === one) ?? null;
    setInline((shown) => {
      const again = [...shown.keys(), ...submitted.map((problem) => problem.field), field];
      return new Map(again.map((one) => [one, at(one)]));
    });
  }

  function onChange() {
    setTyped(read());
    keep.soon();
  }

  /** A file that we would refuse need not travel first. */
  function onFiles() {
    const files = chosenFiles(form.current);
    const large = files.find(({ size }) => size > LARGEST_PHOTO_BYTES);
    const problem: Problem | null = large
      ? { field: 'parentIdPhotos', code: 'too_large', name: large.name }
      : photos.length + files.length > MOST_PHOTOS
        ? { field: 'parentIdPhotos', code: 'too_many', count: MOST_PHOTOS }
        : null;
    setInline((shown) => new Map([...shown, ['parentIdPhotos', problem]]));
    if (problem || files.length === 0 || !form.current) return;
    // Kept at once: the browser forgets chosen files with the page.
    const body = new FormData(form.current);
    body.set('intent', 'photos');
    setKeeping({ isOn: true });
    void post<FormAnswer>(body).then((answer) =>
      setKeeping({ isOn: false, answer: answer ?? undefined }),
    );
  }

  const travelDate = dateTyped(typed, 'travelDate');
  const returnDate = dateTyped(typed, 'returnDate');
  const birth = dateTyped(typed, 'dateOfBirth');
  const days = travelDate && returnDate ? tripDays(travelDate, returnDate) : null;

  const selection = selectPlan(view.plans, days, choiceIn(typed));

  const problemAt = (field: Field): Problem | null => {
    const found = inline.get(field);
    return found === undefined ? (submitted.find((one) => one.field === field) ?? null) : found;
  };

  /** What was sent and is still wrong. What is found while somebody types stands at its field alone. */
  const summary: FieldProblem[] = submitted.flatMap(({ field }) => {
    const problem = problemAt(field);
    return problem ? { name: field, message: asLine(words(problem), language) } : [];
  });

  return {
    start,
    typed,
    photos,
    isKeepingPhotos: keeping.isOn,
    replaced: answer?.replaced ?? noReplaced,
    travelDate,
    days,
    selection,
    moved: usePlanMoved(selection, view.moved ?? answer?.planMoved ?? null),
    /** Null until both dates are known. */
    isMinor: birth && travelDate ? isMinor(birth, travelDate) : null,
    summary,
    /** What the address was probably meant to be, where that is asked. */
    askedEmail: problemAt('email')?.suggestion ?? null,
    errorAt: (field: Field): string | undefined => {
      const problem = problemAt(field);
      return problem ? asSentences(words(problem)) : undefined;
    },
    onFiles,
    formProps: { ref: form, onBlur, onChange },
  };
}

export type InsuranceForm = ReturnType<typeof useInsuranceForm>;

function chosenFiles(form: HTMLFormElement | null): File[] {
  const control = form?.elements.namedItem('parentIdPhotos');
  return control instanceof HTMLInputElement ? [...(control.files ?? [])] : [];
}

const nameOf = (target: EventTarget | null): string =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement ? target.name : '';

const fieldOf = (control: string): Field | undefined =>
  control === 'parentIdPhotos' ? control : insuranceControls.fieldOf(control);
