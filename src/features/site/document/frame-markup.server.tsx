import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Language } from '~/base/languages.ts';
import { loadedTexts } from '~/i18n/translations.server.ts';
import type { CarriedAnswers } from '~/ui/answers-form.ts';
import { PageProvider, makePage, type PageAddress } from '~/ui/page/page-context.tsx';
import { TextsProvider, useTranslation } from '~/ui/texts/texts.tsx';
import { listedPageByPath, pageName, navigationKey, type ListedPage } from '../listed-pages.ts';
import { isCurrentPage, mainPages, pageUrl, alternates } from '../navigation.ts';
import { FrameEnd, FrameStart } from '../frame/page-frame.tsx';
import { SiteProvider, type Site, useSite } from '../site-context.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { isInformationPage } from '../pages.ts';

/** The picture that shared links show, drawn by `scripts/draw-sharing-pictures.ts`. */
const PICTURE = { width: '1200', height: '630' };

/** Metadata for search engines and shared links. A page of one visitor is not indexed. */
function SiteHead({ page }: { page: ListedPage | undefined }) {
  return page ? <Listed page={page} /> : <meta content="noindex" name="robots" />;
}

function Listed({ page }: { page: ListedPage }) {
  const { t } = useTranslation(['site', 'information']);
  const language = useLanguage();
  const { origin } = useSite();
  const address = pageUrl(origin, language, page);
  const name = pageName(page);
  const description = isInformationPage(name)
    ? t(`information:descriptions.${name}`)
    : t(`site:descriptions.${name}`);
  const title = page === '/' ? t('site:home.title') : t(`site:nav.${navigationKey(page)}`);
  return (
    <>
      <meta content={description} name="description" />
      <link href={address} rel="canonical" />
      {alternates(origin, page).map(({ hreflang, href }) => (
        <link href={href} hrefLang={hreflang} key={hreflang} rel="alternate" />
      ))}
      <meta content="website" property="og:type" />
      <meta content="Lale" property="og:site_name" />
      <meta content={title} property="og:title" />
      <meta content={description} property="og:description" />
      <meta content={address} property="og:url" />
      <meta content={language} property="og:locale" />
      <meta content={`${origin}/sharing/${language}.png`} property="og:image" />
      <meta content={PICTURE.width} property="og:image:width" />
      <meta content={PICTURE.height} property="og:image:height" />
      <meta content={t('site:sharing.alt')} property="og:image:alt" />
      <meta content="summary_large_image" name="twitter:card" />
    </>
  );
}

export type FrameFacts = {
  language: Language;
  basename: string;
  /** The route's pattern. */
  path: string;
  /** The requested address. */
  address: PageAddress;
  carriedAnswers: CarriedAnswers | null;
  site: Site;
};

/** A placeholder in cached markup for the page's address, to which the language menu links. */
const HERE = { pathname: '/here-and-now', search: '' };

/** Cached as bytes, cut at `HERE`: the text has letters of many scripts, and encoding takes longer than copying. */
type Cached = readonly Buffer[];

const cache = new Map<string, Cached>();
let keptFor = '';

/**
 * The markup around a page's content, cached by language and section of the site until the operator's details change.
 */
export function frameMarkup(
  frame: FrameFacts,
): Record<'head' | 'start' | 'end', readonly Buffer[]> {
  const { language, basename, path, address, carriedAnswers, site } = frame;
  const about = JSON.stringify(site);
  if (about !== keptFor) {
    cache.clear();
    keptFor = about;
  }
  const part = mainPages.find((page) => isCurrentPage(page, path));
  const listed = listedPageByPath(path) ?? '';
  const of = (name: string, more: string, content: ReactNode) => {
    const key = `${name} ${language} ${basename} ${more}`;
    let markup = cache.get(key);
    if (markup === undefined) cache.set(key, (markup = cut(draw(frame, content))));
    return markup;
  };
  const place = Buffer.from(
    escapeAttribute((address.pathname === '/' ? '' : address.pathname) + address.search),
  );
  const placed = (markup: Cached) =>
    markup.flatMap((piece, index) => (index === 0 ? [piece] : [place, piece]));
  const carried = String(carriedAnswers);
  return {
    head: of('head', listed, <SiteHead page={listedPageByPath(path)} />),
    start: placed(
      of(
        'start',
        `${part?.key} ${carried}`,
        <FrameStart part={part?.key} carriedAnswers={carriedAnswers} />,
      ),
    ),
    end: placed(of('end', carried, <FrameEnd carriedAnswers={carriedAnswers} />)),
  };
}

const cut = (markup: string): Cached =>
  markup.split(HERE.pathname).map((piece) => Buffer.from(piece));

function draw({ language, basename, site }: FrameFacts, content: ReactNode): string {
  return renderToStaticMarkup(
    <TextsProvider texts={loadedTexts(language)}>
      <PageProvider value={makePage(basename, HERE)}>
        <SiteProvider value={site}>{content}</SiteProvider>
      </PageProvider>
    </TextsProvider>,
  );
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const escapeAttribute = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? sign);
