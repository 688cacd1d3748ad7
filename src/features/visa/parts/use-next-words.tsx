import { usePage } from '~/ui/page/page-context.tsx';
import { useHasScripts } from '~/ui/scripts-input.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { type Answers, type CountryTerms, pathOf } from '../rules/answers.ts';
import { stepsFor, leadsToReview } from '../rules/steps.ts';
import type { StepId } from '../rules/step-ids.ts';
import type { StepView } from './step-view.ts';

/** Names, for the button, the step that Next leads to with these answers if the page is complete. */
export function useNextWords(
  view: StepView,
): (country: CountryTerms | null, answers: Answers) => string {
  const { t } = useTranslation('visa');
  const { address } = usePage();
  const hasScripts = useHasScripts();
  const isChange = leadsToReview(new URLSearchParams(address.search));
  return (country, answers) => {
    const way = stepsFor(country, answers).map(({ id }) => id);
    const following = way.slice(way.indexOf(view.step) + 1);
    // Without scripts the label cannot follow what is chosen.
    const isUnknown = isChange && view.step === 'nationality' && !hasScripts;
    const open = isChange ? following.find((id) => isOpen(id, country, answers, view)) : undefined;
    const leadsTo = isChange ? (open ?? 'review') : following[0];
    if (isUnknown || !leadsTo || leadsTo === 'nationality') return t('next.plain');
    // A party is paid for on the page of all travellers.
    return t(view.party && leadsTo === 'review' ? 'party.nextCheck' : `next.${leadsTo}`);
  };
}

/** Whether a later step has to be answered, by the draft or because of what is chosen here. */
function isOpen(
  id: StepId,
  country: CountryTerms | null,
  answers: Answers,
  view: StepView,
): boolean {
  if (id === 'review') return true;
  const before = pathOf(view.country, view.answers);
  const isOther = country?.code !== view.country?.code || pathOf(country, answers) !== before;
  if (!isOther || id === 'details') return view.open.includes(id);
  // Another nationality or path voids its answers.
  return id === 'what_it_allows' ? !answers.purpose : true;
}
