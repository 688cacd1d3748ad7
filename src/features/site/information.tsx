import { useTranslation } from '~/ui/texts/texts.tsx';
import type { LoaderFunctionArgs } from 'react-router';
import {
  shownCertifications,
  type Certification,
} from '~/features/settings/certifications.server.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import { paymentsContext } from '~/features/payment/settlement/context.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { pageUrl } from './navigation.ts';
import { DataBlock, breadcrumbs, questions } from './document/structured-data.tsx';
import { currentFacts, eligibleCountries } from './information/values.server.ts';
import {
  isInformationPage,
  lastChanged,
  pageTwins,
  relatedPages,
  type InformationPage,
} from './pages.ts';
import { informationArticle } from './information/texts.server.ts';
import { useSite } from './site-context.tsx';
import type { ReactNode } from 'react';
import { FiguresTable } from '~/ui/figures-table.tsx';
import { Link } from '~/ui/page/link.tsx';
import { formatDate, parseDate } from '~/base/dates/dates.ts';
import { Page, PageHead } from '~/ui/layout.tsx';
import type {
  Article,
  FigureName,
  TextSection,
  ArticleBlock,
  Inline,
} from './information/article.ts';
import type { Office } from '~/base/dates/office.ts';
import { closedDays } from '~/base/dates/working-hours.ts';
import { ClosedDaysList } from '~/features/application/closed-days.tsx';
import type { PriceList } from '~/features/visa/rules/price-list.ts';
import {
  Conditions,
  CountryGroups,
  CountryNotes,
  type EligibleCountry,
} from './information/countries-figure.tsx';
import { InsurancePrices, VisaPrices, type PlanPrice } from './information/prices-figure.tsx';
import { Notice } from '~/ui/notice.tsx';
import { promiseRecord, type PromiseRecord } from '~/features/application/promise-record.server.ts';
import { PromiseSentence } from './moment-text.tsx';

/** The stages, with the texts of the status page. */
const stages = ['submitted', 'review', 'processing', 'approved'] as const;

function TrackingStages() {
  const { t } = useTranslation(['information', 'application']);
  return (
    <ol className="tracking-stages list-none gap-0 p-0">
      {stages.map((stage) => (
        <li className="relative pb-5 ps-10" key={stage}>
          <strong>{t(`application:progress.${stage}`)}</strong>
          <span className="block text-ink-2">{t(`stages.${stage}`)}</span>
        </li>
      ))}
    </ol>
  );
}

const YEAR_MS = 365 * 86_400_000;

/** The data of figures. */
type FigureFacts = {
  /** The time of the request, from which "ready by" is counted. */
  now: Date;
  countries: readonly EligibleCountry[];
  plans: readonly PlanPrice[];
  prices: PriceList;
  /** As known now. */
  office: Office;
  /** Of the ready-by times that fell due; null while there are too few. */
  record: PromiseRecord | null;
  /** Those with evidence that are valid now. */
  certifications: readonly Certification[];
};

function Figure({ name, facts }: { name: FigureName; facts: FigureFacts }) {
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
          days={closedDays(facts.now, new Date(facts.now.getTime() + YEAR_MS), facts.office)}
        />
      );
    case 'stages':
      return <TrackingStages />;
    case 'promises':
      return facts.record ? (
        <p>
          <PromiseSentence record={facts.record} />
        </p>
      ) : null;
  }
}

/** An article with its table of contents, beside it from 900 px on. */
function ArticlePage({
  page,
  article,
  facts,
}: {
  page: InformationPage;
  article: Article;
  facts: FigureFacts;
}) {
  const { t, language } = useTranslation('information');
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

type Parts = { section: TextSection; figure: (name: FigureName) => ReactNode };

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

/** The operator's certifications, each with a link to its proof; renders nothing without any. */
function Certifications({ shown }: { shown: readonly Certification[] }) {
  const { t, language } = useTranslation('settings');
  if (shown.length === 0) return null;
  return (
    <ArticleSection id="certifications" title={t('site.certifications')}>
      <ul>
        {shown.map(({ name, number, issuer, validUntil, evidence }) => {
          const day = parseDate(validUntil);
          const words = t('site.certification', {
            name,
            number,
            issuer,
            date: day ? formatDate(day, language) : validUntil,
          });
          return (
            <li key={`${name} ${number}`}>
              {words} <a href={evidence}>{t('site.check', { name })}</a>
            </li>
          );
        })}
      </ul>
    </ArticleSection>
  );
}

function Words({ parts }: { parts: readonly Inline[] }) {
  return parts.map((part, index) => <Word key={index} part={part} />);
}

function Word({ part }: { part: Inline }) {
  if (part.kind === 'text') return part.text;
  const words = <Words parts={part.children} />;
  if (part.kind === 'strong') return <strong>{words}</strong>;
  return part.href.startsWith('/') ? (
    <Link to={part.href}>{words}</Link>
  ) : (
    <a href={part.href}>{words}</a>
  );
}

/** The blocks of a section. `figure` renders those that come from data. */
function Prose({
  blocks,
  figure,
}: {
  blocks: readonly ArticleBlock[];
  figure: (name: FigureName) => ReactNode;
}) {
  return blocks.map((block, index) => <Part block={block} figure={figure} key={index} />);
}

function Part({ block, figure }: { block: ArticleBlock; figure: (name: FigureName) => ReactNode }) {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p>
          <Words parts={block.children} />
        </p>
      );
    case 'notice':
      return (
        <Notice tone="blue">
          <p>
            <Words parts={block.children} />
          </p>
        </Notice>
      );
    case 'heading':
      return (
        <h3 className="mt-6">
          <Words parts={block.children} />
        </h3>
      );
    case 'list':
      return <List block={block} />;
    case 'table':
      return <Table block={block} />;
    case 'figure':
      return figure(block.name);
  }
}

function List({ block }: { block: Extract<ArticleBlock, { kind: 'list' }> }) {
  const items = block.items.map((item, index) => (
    <li key={index}>
      <Words parts={item} />
    </li>
  ));
  return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
}

function Table({ block: { head, rows } }: { block: Extract<ArticleBlock, { kind: 'table' }> }) {
  return (
    <FiguresTable<(typeof rows)[number]>
      className="mt-5"
      columns={head.map((cell, index) => ({
        head: <Words parts={cell} />,
        render: (cells) => <Words parts={cells[index] ?? []} />,
      }))}
      keyOf={(_row, index) => index}
      rows={rows}
    />
  );
}

/** A section of an article with its heading, separated by a line from the one before. */
function ArticleSection({
  id,
  title,
  children,
}: {
  id: string;
  title: ReactNode;
  children: ReactNode;
}) {
  return (
    <section
      className="prose scroll-mt-6 border-line not-first:mt-9 not-first:border-t not-first:pt-7"
      id={id}
    >
      <h2 className="text-h2-form">{title}</h2>
      {children}
    </section>
  );
}

export const handle = { scriptFree: true };

/** One module for all information and policy pages; the route's pattern says which. */
export async function loader({ pattern, context }: LoaderFunctionArgs) {
  const path = `/${pattern.replace(/^\//, '')}`;
  const page = (pageTwins[path] ?? path).slice(1);
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
      record: page === 'processing-times' ? await promiseRecord(platform) : null,
      certifications: shownCertifications(settings, platform.now()),
      plans: facts.sold.map(({ days, price }) => ({ days, price })),
    },
  };
}

function Information({ loaderData }: { loaderData: Awaited<ReturnType<typeof loader>> }) {
  const { t, language } = useTranslation('site');
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
