import { useTranslation } from 'react-i18next';
import { useLoaderData, type LoaderFunctionArgs } from 'react-router';
import { countryOptions } from '~/features/catalog/names.server.ts';
import { allCountries } from '~/features/catalog/store.server.ts';
import { languageContext, platformContext } from '~/platform/request.server.ts';
import { StarLine } from '~/ui/ornament.tsx';
import { DataBlock } from '../head/data-block.tsx';
import { organization } from '../head/structured-data.ts';
import { CheckCard } from '../home/check-card.tsx';
import { Costs } from '../home/costs.tsx';
import { Heritage } from '../home/heritage.tsx';
import { Hero } from '../home/hero.tsx';
import { InsurancePromotion } from '../home/insurance-promotion.tsx';
import { Steps } from '../home/steps.tsx';
import { checkVisa } from '../home/visa-check.ts';
import { currentPlans } from '../information/facts.server.ts';
import { useSite } from '../site-context.tsx';

export const handle = { scriptFree: true };

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { db, now: clock } = context.get(platformContext);
  const [countries, plans] = await Promise.all([allCountries(db), currentPlans(db)]);
  const now = clock();
  return {
    now,
    plans: plans.map(({ days, price }) => ({ days, price })),
    check: checkVisa(new URL(request.url).searchParams, countries, now),
    countries: countryOptions(countries, context.get(languageContext)).map(({ id, name }) => ({
      value: id,
      label: name,
    })),
  };
}

export default function Home() {
  const { t } = useTranslation('site');
  const { now, check, countries, plans } = useLoaderData<typeof loader>();
  const hasProblem = Object.keys(check.problems).length > 0;
  const title = t('home.title');
  return (
    <div data-seed>
      <title>{hasProblem ? `${t('ui:errorSummary.titlePrefix')} ${title}` : title}</title>
      <DataBlock data={organization(useSite())} />
      <Hero>
        <CheckCard check={check} countries={countries} now={now} />
      </Hero>
      <Steps />
      <div className="content">
        <StarLine />
      </div>
      <Heritage />
      <InsurancePromotion plans={plans} />
      <Costs now={now} />
    </div>
  );
}
