import type { Closure } from '~/base/dates/closures.ts';
import type { Certification } from '~/features/settings/certification.ts';
import { closedDays } from '~/base/dates/working-hours.ts';
import { ClosedDaysList } from '~/features/application/closed-days/closed-days.tsx';
import type { PriceList } from '~/features/visa/rules/price-list.ts';
import type { FigureName } from './article.ts';
import {
  Conditions,
  CountryGroups,
  CountryNotes,
  type EligibleCountry,
} from './countries-figure.tsx';
import { InsurancePrices, VisaPrices, type PlanPrice } from './prices-figure.tsx';
import { TrackingStages } from './stages-figure.tsx';

const YEAR_MS = 365 * 86_400_000;

/** The data of figures. */
export type FigureFacts = {
  /** The time of the request, from which "ready by" is counted. */
  now: Date;
  countries: readonly EligibleCountry[];
  plans: readonly PlanPrice[];
  prices: PriceList;
  /** Closures known now. */
  closures: readonly Closure[];
  /** Those with evidence that are valid now. */
  certifications: readonly Certification[];
};

export function Figure({ name, facts }: { name: FigureName; facts: FigureFacts }) {
  switch (name) {
    case 'prices.without_document':
      return <VisaPrices {...facts} path="without_document" />;
    case 'prices.with_document':
      return <VisaPrices {...facts} path="with_document" />;
    case 'prices.insurance':
      return <InsurancePrices plans={facts.plans} />;
    case 'countries.without_document':
      return <CountryGroups countries={facts.countries} path="without_document" />;
    case 'countries.with_document':
      return <CountryGroups countries={facts.countries} path="with_document" />;
    case 'countries.notes':
      return <CountryNotes countries={facts.countries} />;
    case 'conditions':
      return <Conditions />;
    case 'closed':
      return (
        <ClosedDaysList
          days={closedDays(facts.now, new Date(facts.now.getTime() + YEAR_MS), facts.closures)}
        />
      );
    case 'stages':
      return <TrackingStages />;
  }
}
