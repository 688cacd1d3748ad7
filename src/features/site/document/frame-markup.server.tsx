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
  /** The route's path, with the names of its parameters. */
  path: string;
  /** What the visitor has asked for. */
  address: PageAddress;
  carriedAnswers: CarriedAnswers | null;
  site: Site;
};

/** Stands in kept markup for the address of the page, which the menu of languages leads to. */
const HERE = { pathname: '/here-and-now', search: '' };

/** Kept as bytes, cut where `HERE` stood: its letters are of many scripts, and to encode them takes longer than to copy. */
type Kept = readonly Buffer[];

const kept = new Map<string, Kept>();
let keptFor = '';

/**
 * The markup round a page's content. It is made once for each language and part of the site, and anew when what is said of
 * the operator changes.
 */
export function frameMarkup(frame: FrameOf): Record<'head' | 'start' | 'end', readonly Buffer[]> {
  const { language, basename, path, address, carriedAnswers, site } = frame;
  const about = JSON.stringify(site);
  if (about !== keptFor) {
    kept.clear();
    keptFor = about;
  }
  const part = mainPages.find((page) => isAt(page, path));
  const listed = listedPageAt(path) ?? '';
  const of = (name: string, more: string, content: ReactNode) => {
    const key = `${name} ${language} ${basename} ${more}`;
    let markup = kept.get(key);
    if (markup === undefined) kept.set(key, (markup = cut(draw(frame, content))));
    return markup;
  };
  const place = Buffer.from(
    escapeAttribute((address.pathname === '/' ? '' : address.pathname) + address.search),
  );
  const placed = (markup: Kept) =>
    markup.flatMap((piece, index) => (index === 0 ? [piece] : [place, piece]));
  const along = String(carriedAnswers);
  return {
    head: of('head', listed, <SiteHead page={listedPageAt(path)} />),
    start: placed(
      of(
        'start',
        `${part?.key} ${along}`,
        <FrameStart part={part?.key} carriedAnswers={carriedAnswers} />,
      ),
    ),
    end: placed(of('end', along, <FrameEnd carriedAnswers={carriedAnswers} />)),
  };
}

const cut = (markup: string): Kept =>
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
