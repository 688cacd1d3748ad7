import { useEffect, useEffectEvent, useState, useRef } from 'react';
import { isMinor, typedDate } from '~/base/dates/dates.ts';
import { travellerUrl } from '~/features/form/draft/party.ts';
import { useForm } from '~/features/form/page/use-form.tsx';
import { usePage } from '~/ui/page/page-context.tsx';
import {
  fieldsOnPage,
  questionNames,
  type InsuranceField,
  type Question,
} from '../rules/answers.ts';
import { MAX_PHOTO_BYTES, MAX_PHOTOS } from '~/features/form/answers/limits.ts';
import { readPlanChoice, insuranceForm } from '../rules/typed.ts';
import type { InsuranceProblem } from '../rules/check.ts';
import { selectPlan, tripDays, type Selection, type Plan } from '../rules/plans.ts';
import type { InsuranceAnswer, InsuranceView, PlanMove } from './form-view.ts';
import { REST_MS } from '~/ui/fields/default-choice.tsx';

const fetchChecks = () => import('./browser-checks.ts');

/** The form's state in the browser, with the price of its answers. */
export function useInsuranceForm(view: InsuranceView, answer: InsuranceAnswer | undefined) {
  const { post } = usePage();
  const [keeping, setKeeping] = useState<{ isOn: boolean; answer?: InsuranceAnswer }>({
    isOn: false,
  });
  const [photos, setPhotos] = useState(answer?.photos ?? view.photos);
  // The latest of the page, the submit and the photo upload has the current photos.
  const [byPage, byAnswer, byKeeper] = [view.photos, answer?.photos, keeping.answer?.photos];
  useEffect(() => setPhotos(byPage), [byPage]);
  useEffect(() => {
    if (byAnswer) setPhotos(byAnswer);
  }, [byAnswer]);
  useEffect(() => {
    if (byKeeper) setPhotos(byKeeper);
  }, [byKeeper]);

  const { element, setInline, inTurn, ...form } = useForm<InsuranceField, Question>({
    fields: questionNames,
    controls: insuranceForm,
    view,
    answer,
    autosaveTarget: { address: travellerUrl('/insurance/keep', view.party), step: 'form' },
    fetchChecks: async () =>
      (await fetchChecks()).insuranceChecks(
        view,
        // Those of a party come with all its travellers.
        (form) => (view.party ? 1 : photos.length + chosenFiles(form).length),
      ),
    order: fieldsOnPage,
  });
  const { typed } = form;

  const say = (problem: InsuranceProblem | null) =>
    setInline((shown) => new Map([...shown, ['parentIdPhotos', problem]]));

  const refusedPhotos = keeping.answer?.problems;
  // Shows what the server found in the files sent last, once.
  const tellRefused = useEffectEvent((found: readonly InsuranceProblem[]) => say(found[0] ?? null));
  useEffect(() => {
    if (refusedPhotos) tellRefused(refusedPhotos);
  }, [refusedPhotos]);

  useEffect(() => {
    if (answer?.priceChange) window.scrollTo({ top: 0 });
  }, [answer]);

  /** Checks files in the browser first, so that refused ones are not uploaded; false for those. */
  function onFiles(files: readonly File[]): boolean {
    const large = files.find(({ size }) => size > MAX_PHOTO_BYTES);
    const problem: InsuranceProblem | null = large
      ? { field: 'parentIdPhotos', code: 'too_large', name: large.name }
      : photos.length + files.length > MAX_PHOTOS
        ? { field: 'parentIdPhotos', code: 'too_many', count: MAX_PHOTOS }
        : null;
    say(problem);
    if (problem) return false;
    if (files.length === 0 || !element.current) return true;
    // Uploaded at once: a browser forgets chosen files with the page.
    const body = new FormData(element.current);
    body.set('intent', 'photos');
    setKeeping({ isOn: true });
    void inTurn(() => post<InsuranceAnswer>(body)).then((answer) =>
      setKeeping({ isOn: false, answer: answer ?? undefined }),
    );
    return true;
  }

  const travelDate = typedDate(typed, 'travelDate');
  const returnDate = typedDate(typed, 'returnDate');
  const birth = typedDate(typed, 'dateOfBirth');
  const days = travelDate && returnDate ? tripDays(travelDate, returnDate) : null;
  const selection = selectPlan(view.plans, days, readPlanChoice(typed));

  return {
    ...form,
    photos,
    isKeepingPhotos: keeping.isOn,
    /** The latest problems that the server found. */
    refused: keeping.answer?.problems ?? answer?.problems,
    travelDate,
    days,
    selection,
    ...usePlanMoved(selection, view.moved ?? answer?.planMoved ?? null),
    /** Null until both dates are known. */
    isMinor: birth && travelDate ? isMinor(birth, travelDate) : null,
    onFiles,
  };
}

export type InsuranceForm = ReturnType<typeof useInsuranceForm>;

function chosenFiles(form: HTMLFormElement | null): File[] {
  const control = form?.elements.namedItem('parentIdPhotos');
  return control instanceof HTMLInputElement ? [...(control.files ?? [])] : [];
}

/**
 * `moved`: the last change of plan made by the form, shown beside the dates; null once the visitor chooses a plan. `told`:
 * the plan that has come about since, for screen readers. Both once the dates rest. `begun`: the change that the page
 * begins with.
 */
function usePlanMoved({ chosen, choice }: Selection, begun: PlanMove | null) {
  const [moved, setMoved] = useState(begun);
  const [told, setTold] = useState<Plan | null>(null);
  const announced = useRef({ plan: chosen, wish: choice.wish });

  useEffect(() => {
    if (begun) setMoved(begun);
  }, [begun]);

  const tell = useEffectEvent((id: string | undefined, wish: Selection['choice']['wish']) => {
    if (!chosen || id === announced.current.plan?.id) return undefined;
    const timer = setTimeout(() => {
      const before = announced.current;
      announced.current = { plan: chosen, wish };
      const isVisitors = wish !== before.wish && wish === chosen.id;
      setMoved(before.plan && !isVisitors ? { from: before.plan, to: chosen } : null);
      setTold(chosen);
    }, REST_MS);
    return () => clearTimeout(timer);
  });
  // Compared by id, as lists are made anew.
  const chosenId = chosen?.id;
  useEffect(() => tell(chosenId, choice.wish), [chosenId, choice.wish]);

  return { moved, told };
}
