import type { ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from '~/ui/page/link.tsx';
import { formatDate } from '~/base/dates/dates.ts';
import { Page, PageHead } from '~/ui/layout.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { ArticleSection } from './article-section.tsx';
import { Certifications } from './certifications.tsx';
import type { Article, FigureName, Section } from './article.ts';
import { Figure, type FigureFacts } from './figure.tsx';
import { lastChanged, relatedPages, type InformationPage } from '../pages.ts';
import { Prose, Words } from './prose.tsx';

/** An article with its table of contents, beside it from 900 px on. */
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
      <div className="grid grid-cols-1 gap-12 wide:grid-cols-[minmax(0,720px)_280px] wide:justify-between print:block">
        <div className="max-w-180 print:max-w-none">
          {article.sections.map((section) =>
            page === 'faq' ? (
              <Question figure={figure} key={section.id} section={section} />
            ) : (
              <ArticleSection id={section.id} key={section.id} title={section.title}>
                <Prose blocks={section.blocks} figure={figure} />
              </ArticleSection>
            ),
          )}
          {page === 'security' ? <Certifications shown={facts.certifications} /> : null}
          <p className="text-small mt-10 text-ink-2">
            {t('lastChanged', { date: formatDate(lastChanged[page], language) })}
          </p>
        </div>
        <Aside article={page === 'faq' ? null : article} page={page} />
      </div>
    </Page>
  );
}

type Parts = { section: Section; figure: (name: FigureName) => ReactNode };

/** A disclosure: works without scripts, and browsers open it when searching in the page. */
function Question({ section, figure }: Parts) {
  return (
    <details
      className="question scroll-mt-6 border-b border-line-2 first-of-type:border-t"
      id={section.id}
    >
      <summary className="flex cursor-pointer list-none items-center justify-between gap-4 py-4.5 [&::-webkit-details-marker]:hidden [&:hover>h2]:text-turquoise-dark">
        <h2 className="text-h3">{section.title}</h2>
      </summary>
      <div className="prose pb-6">
        <Prose blocks={section.blocks} figure={figure} />
      </div>
    </details>
  );
}

function Aside({ article, page }: { article: Article | null; page: InformationPage }) {
  const { t } = useTranslation(['information', 'site']);
  return (
    <div className="grid grid-cols-1 content-start gap-8 text-small wrap-anywhere wide:sticky wide:top-8 wide:self-start wide:border-s wide:border-line-2 wide:ps-6 print:hidden [&_a]:inline-block [&_a]:py-[10.5px] wide:[&_a]:py-[5.5px] [&_h2]:mb-2 [&_h2]:text-group [&_h2]:tracking-normal [&_h2]:text-ink-2">
      {article ? (
        <nav aria-labelledby="contents" className="max-wide:hidden">
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
