import { useTranslation } from '~/ui/texts/texts.tsx';
import type { LoaderFunctionArgs } from 'react-router';
import { shownCertifications } from '~/features/settings/certifications.server.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import { paymentsContext } from '~/features/payment/settlement/context.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { pageUrl } from './navigation.ts';
import { DataBlock } from './document/data-block.tsx';
import { breadcrumbs, questions } from './document/structured-data.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { ArticlePage } from './information/article-page.tsx';
import { currentFacts, eligibleCountries } from './information/values.server.ts';
import { isInformationPage } from './pages.ts';
import { informationArticle } from './information/texts.server.ts';
import { useSite } from './site-context.tsx';

export const handle = { scriptFree: true };

/** One module for all information and policy pages; the route's pattern says which. */
export async function loader({ pattern, context }: LoaderFunctionArgs) {
  const page = pattern.replace(/^\//, '');
  if (!isInformationPage(page)) throw new Error(`${pattern} is no information page`);
  const platform = context.get(platformContext);
  const language = context.get(languageContext);
  const facts = await currentFacts(platform, context.get(paymentsContext).providers);
  const settings = await currentSettings(platform.db);
  return {
    page,
    article: informationArticle(page, language, facts),
    figures: {
      now: platform.now(),
      countries: page === 'requirements' ? eligibleCountries(facts.countries, language) : [],
      prices: facts.prices,
      office: facts.office,
      certifications: shownCertifications(settings, platform.now()),
      plans: facts.sold.map(({ days, price }) => ({ days, price })),
    },
  };
}

function Information({ loaderData }: { loaderData: Awaited<ReturnType<typeof loader>> }) {
  const { t } = useTranslation('site');
  const language = useLanguage();
  const { origin } = useSite();
  const { page, article, figures } = loaderData;
  return (
    <>
      <title>{`${article.title} · Lale`}</title>
      <DataBlock
        data={breadcrumbs([
          { name: t('nav.home'), address: pageUrl(origin, language, '/') },
          { name: article.title, address: pageUrl(origin, language, `/${page}`) },
        ])}
      />
      {page === 'faq' ? <DataBlock data={questions(article, language)} /> : null}
      <ArticlePage article={article} facts={figures} page={page} />
    </>
  );
}

export { Information as default };
