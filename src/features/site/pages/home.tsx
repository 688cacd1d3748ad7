import { useTranslation } from '~/ui/texts/texts.tsx';
import { redirect, type LoaderFunctionArgs } from 'react-router';
import { countryOptions } from '~/features/catalog/names.server.ts';
import { allCountries } from '~/features/catalog/store.server.ts';
import { closuresNow } from '~/features/settings/closures.server.ts';
import { visaPrices } from '~/features/visa/store/prices.server.ts';
import { waysToPay } from '~/features/order/fallback-provider.ts';
import { paymentsContext } from '~/features/payment/settlement/context.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { answersHandle, isLanguageSwitch, type CarriedAnswers } from '~/ui/answers-form.ts';
import { StarLine } from '~/ui/tag/ornament.tsx';
import { DataBlock } from '../head/data-block.tsx';
import { organization } from '../head/structured-data.ts';
import { CheckCard } from '../home/check-card.tsx';
import { Costs } from '../home/costs.tsx';
import { Heritage } from '../home/heritage.tsx';
import { Hero } from '../home/hero.tsx';
import { InsurancePromotion } from '../home/insurance-promotion.tsx';
import { Steps } from '../home/steps.tsx';
import { checkVisa, isUntouched } from '../home/visa-check.ts';
import { currentPlans } from '../information/facts.server.ts';
import { useSite } from '../site-context.tsx';

export const handle = { scriptFree: true, ...answersHandle };

export async function loader({ request, context }: LoaderFunctionArgs) {
  const platform = context.get(platformContext);
  const [countries, plans, prices, closures] = await Promise.all([
    allCountries(platform),
    currentPlans(platform),
    visaPrices(platform),
    closuresNow(platform),
  ]);
  const now = platform.now();
  const query = new URL(request.url).searchParams;
  const check = checkVisa(query, countries, prices, closures, now);
  // Without answers the address needs no query.
  if (isLanguageSwitch(query) && isUntouched(check.values)) throw redirect('/');
  const carriedAnswers: CarriedAnswers = check.isAsked ? 'asked' : 'kept';
  return {
    now,
    prices,
    closures,
    waysToPay: waysToPay(context.get(paymentsContext).providers),
    plans: plans.map(({ days, price }) => ({ days, price })),
    check,
    carriedAnswers,
    countries: countryOptions(countries, context.get(languageContext)).map(({ id, name }) => ({
      value: id,
      label: name,
    })),
  };
}

function Home({ loaderData }: { loaderData: Awaited<ReturnType<typeof loader>> }) {
  const { t } = useTranslation('site');
  const { now, check, countries, plans, prices, closures } = loaderData;
  return (
    <div data-seed>
      <DataBlock data={organization(useSite())} />
      <Hero prices={prices}>
        <CheckCard check={check} countries={countries} now={now} title={t('home.title')} />
      </Hero>
      <Steps waysToPay={loaderData.waysToPay} />
      <div className="content">
        <StarLine />
      </div>
      <Heritage />
      <InsurancePromotion plans={plans} />
      <Costs closures={closures} now={now} prices={prices} />
    </div>
  );
}

export { Home as default };
