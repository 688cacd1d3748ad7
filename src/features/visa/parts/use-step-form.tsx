import type { Typed } from '~/features/form/answers/controls.ts';
import { useForm } from '~/features/form/page/use-form.tsx';
import { asLine } from '~/features/application/words.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { pathOf, type Answers, type CountryTerms, type Field } from '../rules/answers.ts';
import { forTraveller } from '../party/party.ts';
import { voidedBy } from '../rules/merge-typed.ts';
import { stepOf } from '../rules/steps.ts';
import { answersOf, visaForm } from '../rules/typed.ts';
import { refusedAs } from './refused-as.ts';
import type { StepAnswer, StepView } from './step-view.ts';

const fetchChecks = () => import('./browser-checks.ts');

/** Steps that are only saved by their button: trying out countries must not void answers for the chosen one. */
const notAutosaved: readonly StepView['step'][] = ['nationality', 'review'];

/** One step's form in the browser. */
export function useStepForm(
  view: StepView,
  answer: StepAnswer | undefined,
  now: Date,
  countryFor: (typed: Typed) => CountryTerms | null = () => view.country,
) {
  const { t } = useTranslation('visa');
  const language = useLanguage();
  const { fields } = stepOf(view.step);
  const isKept = view.version > 0 && !notAutosaved.includes(view.step);

  const answersNow = (entries: Typed): Answers => {
    const all = answersOf(entries);
    const own = Object.fromEntries(fields.map((field) => [field, all[field] ?? '']));
    // As the server will void them.
    const gone = voidedBy(view.answers, own).map((field) => [field, '']);
    const voided: Answers = Object.fromEntries(gone);
    return { ...view.answers, ...voided, ...own };
  };

  const form = useForm<Field>({
    form: 'visa',
    fields,
    controls: visaForm,
    view,
    answer,
    autosaveTarget: isKept
      ? { address: forTraveller('/application/keep', view.party), step: view.step }
      : null,
    fetchChecks: async () =>
      (await fetchChecks()).checksOf(view.step, (entries) => ({
        answers: answersNow(entries),
        now,
        closures: view.closures,
        country: countryFor(entries),
      })),
  });
  const refused = refusedAs(view.step, answer ? (answer.problems ?? []) : view.problems);

  const country = countryFor(form.typed);
  const answers = answersNow(form.typed);
  return {
    ...form,
    /** The heading of the summary, where the specification words it. */
    heading: refused
      ? asLine(
          { title: t(`refused.${refused}.title`), text: t(`refused.${refused}.text`) },
          language,
        )
      : undefined,
    country,
    path: pathOf(country, answers),
    answers,
    replaced: answer?.replaced ?? view.replaced,
  };
}

export type StepForm = ReturnType<typeof useStepForm>;
