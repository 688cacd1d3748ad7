import type { TypedAnswers } from '~/features/form/answers/controls.ts';
import { useForm } from '~/features/form/page/use-form.tsx';
import { formatMessageLine } from '~/features/application/words.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import {
  pricePath,
  type VisaAnswers,
  type CountryTerms,
  type VisaProblem,
} from '../rules/answers.ts';
import type { VisaField } from '../rules/questions.ts';
import { travellerUrl } from '~/features/form/draft/party.ts';
import { voidedFields, readVisaAnswers, visaForm } from '../rules/typed.ts';
import { stepById } from '../rules/steps.ts';
import type { StepId } from '../rules/step-ids.ts';
import type { StepAnswer, StepView } from './step-view.ts';

const fetchChecks = () => import('./browser-checks.ts');

/** Steps that are only saved by their button: trying out countries must not void answers for the chosen one. */
const notAutosaved: readonly StepView['step'][] = ['nationality', 'review'];

/** One step's form in the browser. */
export function useStepForm(
  view: StepView,
  answer: StepAnswer | undefined,
  now: Date,
  countryFor: (typed: TypedAnswers) => CountryTerms | null = () => view.country,
) {
  const { t, language } = useTranslation('visa');
  const { fields } = stepById(view.step);
  const isKept = view.version > 0 && !notAutosaved.includes(view.step);

  const answersNow = (entries: TypedAnswers): VisaAnswers => {
    const all = readVisaAnswers(entries);
    const own = Object.fromEntries(fields.map((field) => [field, all[field] ?? '']));
    // As the server will void them.
    const gone = voidedFields(view.answers, own).map((field) => [field, '']);
    const voided: VisaAnswers = Object.fromEntries(gone);
    return { ...view.answers, ...voided, ...own };
  };

  const form = useForm<VisaField>({
    fields,
    controls: visaForm,
    view,
    answer,
    autosaveTarget: isKept
      ? { address: travellerUrl('/application/keep', view.party), step: view.step }
      : null,
    fetchChecks: async () =>
      (await fetchChecks()).stepChecks(view.step, (entries) => ({
        answers: answersNow(entries),
        now,
        office: view.office,
        country: countryFor(entries),
      })),
  });
  const refused = findRefusal(view.step, answer ? (answer.problems ?? []) : view.problems);

  const country = countryFor(form.typed);
  const answers = answersNow(form.typed);
  return {
    ...form,
    /** The heading of the summary, where the specification words it. */
    heading: refused
      ? formatMessageLine(
          { title: t(`refused.${refused}.title`), text: t(`refused.${refused}.text`) },
          language,
        )
      : undefined,
    country,
    path: pricePath(country, answers),
    answers,
    replaced: answer?.replaced ?? view.replaced,
  };
}

export type StepForm = ReturnType<typeof useStepForm>;

/** One of `visa:refused.…`. */
type Refusal =
  | 'required_fields'
  | 'required_selection'
  | 'missing_information'
  | 'arrival_required'
  | 'processing_required'
  | 'prerequisites'
  | 'form';

/**
 * The message with which the customer's specification refuses a step as a whole: it heads the summary. Null where the
 * specification has none but that of the only problem.
 */
export function findRefusal(step: StepId, problems: readonly VisaProblem[]): Refusal | null {
  const [first, ...others] = problems;
  if (!first) return null;
  const isMissing = (field: VisaProblem['field']) =>
    problems.some((one) => one.field === field && one.code === 'required');
  switch (step) {
    case 'nationality':
      return 'required_fields';
    case 'supporting_document':
      if (isMissing('hasSupportingDocument')) return 'required_selection';
      return others.length === 0 && first.code !== 'required' ? null : 'missing_information';
    case 'arrival':
      if (isMissing('arrivalDate')) return 'arrival_required';
      return isMissing('processingType') && others.length === 0 ? 'processing_required' : null;
    case 'prerequisites':
      return 'prerequisites';
    default:
      return others.length === 0 ? null : 'form';
  }
}
