import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Language } from '~/base/languages.ts';
import { loadedTexts } from '~/i18n/translations.server.ts';
import type { CarriedAnswers } from '~/ui/answers-form.ts';
import { PageProvider, pageAt, type PageAddress } from '~/ui/page/page-context.tsx';
import { TextsProvider } from '~/ui/texts/texts.tsx';
import { SiteHead } from '../head/site-head.tsx';
import { listedPageAt } from '../listed-pages.ts';
import { isAt, mainPages } from '../navigation.ts';
import { FrameEnd, FrameStart } from '../frame/page-frame.tsx';
import { SiteProvider, type Site } from '../site-context.tsx';

export type FrameOf = {
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
export function frameMarkup(frame: FrameOf): Record<'head' | 'start' | 'end', readonly Buffer[]> {
  const { language, basename, path, address, carriedAnswers, site } = frame;
  const about = JSON.stringify(site);
  if (about !== keptFor) {
    cache.clear();
    keptFor = about;
  }
  const part = mainPages.find((page) => isAt(page, path));
  const listed = listedPageAt(path) ?? '';
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
    head: of('head', listed, <SiteHead page={listedPageAt(path)} />),
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

function draw({ language, basename, site }: FrameOf, content: ReactNode): string {
  return renderToStaticMarkup(
    <TextsProvider texts={loadedTexts(language)}>
      <PageProvider value={pageAt(basename, HERE)}>
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
