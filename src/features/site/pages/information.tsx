import { useTranslation } from 'react-i18next';
import { useLoaderData, type LoaderFunctionArgs } from 'react-router';
import { languageContext, platformContext } from '~/platform/request.server.ts';
import { ArticlePage } from '../information/article-page.tsx';
import { currentFacts, eligibleCountries } from '../information/facts.server.ts';
import { isInformationPage } from '../information/pages.ts';
import { articleOf } from '../information/texts.server.ts';

export const handle = { scriptFree: true };

/** One module for all information and policy pages: the route's pattern says which. */
export async function loader({ pattern, context }: LoaderFunctionArgs) {
  const page = pattern.replace(/^\//, '');
  if (!isInformationPage(page)) throw new Error(`${pattern} is no information page`);
  const platform = context.get(platformContext);
  const language = context.get(languageContext);
  const facts = await currentFacts(platform);
  return {
    page,
    article: articleOf(page, language, facts),
    figures: {
      now: platform.now(),
      countries: page === 'requirements' ? eligibleCountries(facts.countries, language) : [],
      plans: facts.plans.map(({ days, price }) => ({ days, price })),
    },
  };
}

export default function Information() {
  const { t } = useTranslation('information');
  const { page, article, figures } = useLoaderData<typeof loader>();
  return (
    <>
      <title>{`${article.title} – Lale`}</title>
      <meta content={t(`descriptions.${page}`)} name="description" />
      <ArticlePage article={article} facts={figures} page={page} />
    </>
  );
}
