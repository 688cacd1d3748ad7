import type { ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from '~/ui/page/link.tsx';
import { formatDate } from '~/base/dates/dates.ts';
import { Page, PageHead } from '~/ui/layout.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { Certifications } from './certifications.tsx';
import type { Article, FigureName, Section } from './article.ts';
import { Figure, type FigureFacts } from './figure.tsx';
import { lastChanged, relatedPages, type InformationPage } from '../pages.ts';
import { Prose, Words } from './prose.tsx';

/** A text with its contents beside it from 900 px on. */
export function ArticlePage({
  page,
  article,
  facts,
}: {
  page: InformationPage;
  article: Article;
  facts: FigureFacts;
}) {
  const { t } = useTranslation('information');
  const language = useLanguage();
  const figure = (name: FigureName) => <Figure facts={facts} name={name} />;
  return (
    <Page className="article">
      <PageHead lead={<Words parts={article.lead} />} title={article.title} />
      <div className="article-columns">
        <div className="article-main">
          {article.sections.map((section) =>
            page === 'faq' ? (
              <Question figure={figure} key={section.id} section={section} />
            ) : (
              <section className="prose" id={section.id} key={section.id}>
                <h2>{section.title}</h2>
                <Prose blocks={section.blocks} figure={figure} />
              </section>
            ),
          )}
          {page === 'security' ? <Certifications shown={facts.certifications} /> : null}
          <p className="small mt-10 text-ink-2">
            {t('lastChanged', { date: formatDate(lastChanged[page], language) })}
          </p>
        </div>
        <Aside article={page === 'faq' ? null : article} page={page} />
      </div>
    </Page>
  );
}

type Parts = { section: Section; figure: (name: FigureName) => ReactNode };

/** Closed until it is wanted; works without script, and browsers open it for a search on the page. */
function Question({ section, figure }: Parts) {
  return (
    <details className="question" id={section.id}>
      <summary>
        <h2>{section.title}</h2>
      </summary>
      <div className="prose">
        <Prose blocks={section.blocks} figure={figure} />
      </div>
    </details>
  );
}

function Aside({ article, page }: { article: Article | null; page: InformationPage }) {
  const { t } = useTranslation(['information', 'site']);
  return (
    <div className="article-aside">
      {article ? (
        <nav aria-labelledby="contents" className="article-contents">
          <h2 id="contents">{t('contents')}</h2>
          <ol>
            {article.sections.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ol>
        </nav>
      ) : null}
      <nav aria-labelledby="related">
        <h2 id="related">{t('related')}</h2>
        <ul>
          {relatedPages[page].map((other) => (
            <li key={other}>
              <Link to={`/${other}`}>{t(`site:nav.${other}`)}</Link>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}
