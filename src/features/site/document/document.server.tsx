import type { ReactNode } from 'react';
import { renderToStaticMarkup, renderToPipeableStream, renderToString } from 'react-dom/server';
import { type Language, textDirection } from '~/base/languages.ts';
import { loadedTexts } from '~/i18n/translations.server.ts';
import type { CarriedAnswers } from '~/ui/answers-form.ts';
import { PageProvider, makePage, type PageAddress } from '~/ui/page/page-context.tsx';
import { TextsProvider, useTranslation } from '~/ui/texts/texts.tsx';
import { listedPageByPath, pageName, navigationKey, type ListedPage } from '../listed-pages.ts';
import { isCurrentPage, mainPages, pageUrl, alternates } from '../navigation.ts';
import { FrameEnd, FrameStart } from '../frame/page-frame.tsx';
import { SiteProvider, type Site, useSite } from '../site-context.tsx';
import { isInformationPage } from '../pages.ts';
import { Writable } from 'node:stream';
import { stringify } from 'devalue';
import arabic from '~/ui/fonts/arabic-400.woff2?url';
import arabicBold from '~/ui/fonts/arabic-600.woff2?url';
import fraunces from '~/ui/fonts/fraunces.woff2?url';
import frauncesTurkish from '~/ui/fonts/fraunces-turkish.woff2?url';
import inter from '~/ui/fonts/inter.woff2?url';
import interAccents from '~/ui/fonts/inter-accents.woff2?url';
import interTurkish from '~/ui/fonts/inter-turkish.woff2?url';
import { printSheet } from '~/ui/style-sheets.ts';
import { PAGE_DATA_ID, PAGE_FILES_ID, type PageData, type PageFiles } from '~/ui/page/page-data.ts';
import { TOASTS_ID } from '~/ui/page/toast.tsx';
import { ReferenceProvider } from '../reference.tsx';
import { STARTER } from './starter.server.ts';

/** The picture that shared links show, drawn by `scripts/draw-sharing-pictures.ts`. */
const PICTURE = { width: '1200', height: '630' };

/** Metadata for search engines and shared links. A page of one visitor is not indexed. */
function SiteHead({ page }: { page: ListedPage | undefined }) {
  return page ? <Listed page={page} /> : <meta content="noindex" name="robots" />;
}

function Listed({ page }: { page: ListedPage }) {
  const { t, language } = useTranslation(['site', 'information']);
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

type FrameFacts = {
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
function frameMarkup(frame: FrameFacts): Record<'head' | 'start' | 'end', readonly Buffer[]> {
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

/** The parts of a document besides its content. */
export type DocumentParts = {
  frame: FrameFacts;
  /** False for pages with a frame of their own. */
  isFramed: boolean;
  /** The id of this response, shown on pages about a failure. */
  reference: string;
  styles: readonly string[];
  /** The framework's scripts and their data; null for a page without. */
  scripts: { files: PageFiles; data: PageData; hasFirstTexts: boolean } | null;
  /** The script of a page without the framework. */
  pageScript: string;
};

/** Milliseconds after which rendering counts as failed. */
const RENDER_LIMIT_MS = 10_000;

/**
 * Renders a whole document as the bytes to send. The content's `title` and `meta` are moved to the head.
 * @throws whatever the content throws
 */
export async function drawDocument(content: ReactNode, parts: DocumentParts): Promise<Buffer> {
  const { frame, isFramed, reference, scripts } = parts;
  const { language, site } = frame;
  const drawn = await renderDocument(
    <TextsProvider texts={loadedTexts(language)}>
      <ReferenceProvider value={reference}>
        <SiteProvider value={site}>
          {isFramed ? (
            <main id="main" className="flex-1" tabIndex={-1}>
              {content}
            </main>
          ) : (
            <div id="main">{content}</div>
          )}
        </SiteProvider>
      </ReferenceProvider>
    </TextsProvider>,
  );
  const at = drawn.indexOf(isFramed ? '<main id="main"' : '<div id="main"');
  const { head, start, end } = isFramed ? frameMarkup(frame) : STANDS_ALONE;
  // Encoded separately: a single character beyond Latin-1 makes encoding a string ten times slower.
  return Buffer.concat([
    Buffer.from(opening(language, parts) + drawn.slice(0, at)),
    ...head,
    Buffer.from(
      `</head><body><div id="${TOASTS_ID}"></div>${isFramed ? '<div class="flex min-h-screen flex-col">' : ''}`,
    ),
    ...start,
    Buffer.from(drawn.slice(at)),
    ...end,
    Buffer.from(
      `${isFramed ? '</div>' : ''}${
        scripts
          ? withData(scripts.files, scripts.data)
          : `<script src="${parts.pageScript}" type="module"></script>`
      }</body></html>`,
    ),
  ]);
}

const STANDS_ALONE = {
  head: [Buffer.from('<meta content="noindex" name="robots"/>')],
  start: [],
  end: [],
};

function opening(language: Language, { styles, scripts }: DocumentParts): string {
  const texts = scripts?.hasFirstTexts ? ' data-texts="start"' : '';
  const sheets = styles.map((href) => `<link href="${href}" rel="stylesheet"/>`).join('');
  const fonts = firstFonts(language)
    .map(
      (href) => `<link as="font" crossorigin="" href="${href}" rel="preload" type="font/woff2"/>`,
    )
    .join('');
  return `<!DOCTYPE html><html lang="${language}" dir="${textDirection(language)}"${texts}><head><meta charset="utf-8"/><meta content="width=device-width, initial-scale=1" name="viewport"/><meta content="telephone=no, date=no, address=no, email=no" name="format-detection"/><meta content="#0B2A3C" name="theme-color"/>${fonts}<link href="/favicon.svg" rel="icon" type="image/svg+xml"/><link href="/apple-touch-icon.png" rel="apple-touch-icon"/><link href="/manifest.webmanifest" rel="manifest"/>${sheets}<link href="${printSheet}" media="print" rel="stylesheet"/>`;
}

const withData = (files: PageFiles, data: PageData): string =>
  dataBlock(PAGE_DATA_ID, stringify(data)) + filesAndStarter(files);

/** Cached by route, as it is the same in every response. */
function filesAndStarter(files: PageFiles): string {
  const known = starters.get(files);
  if (known !== undefined) return known;
  const block = dataBlock(PAGE_FILES_ID, JSON.stringify(files));
  const made = `${block}<script>${STARTER}</script>`;
  starters.set(files, made);
  return made;
}

const starters = new WeakMap<PageFiles, string>();

/** A data block, which the content policy does not treat as a script; the text cannot end the element. */
const dataBlock = (id: string, text: string): string =>
  `<script id="${id}" type="application/json">${text.replaceAll('<', String.raw`\u003c`)}</script>`;

/**
 * Renders completely before the first byte is sent: no page defers data, and a late error can still become a 500.
 * Synchronously where every lazy part is loaded, that is from the second time on, which takes two thirds of the time.
 */
export async function renderDocument(content: ReactNode): Promise<string> {
  return drawAtOnce(content) ?? drawPatiently(content);
}

/** React's mark for a boundary whose content was not ready. */
const UNFINISHED = '<!--$!-->';

/** Null where something must be waited for, or has failed: the asynchronous way finds out which. */
function drawAtOnce(content: ReactNode): string | null {
  try {
    const html = renderToString(content);
    return html.includes(UNFINISHED) ? null : html;
  } catch {
    return null;
  }
}

function drawPatiently(content: ReactNode): Promise<string> {
  return new Promise((resolve, reject) => {
    let failed: unknown;
    let html = '';
    const body = new Writable({
      decodeStrings: false,
      write(chunk: Buffer | string, _, done) {
        html += typeof chunk === 'string' ? chunk : chunk.toString('utf8');
        done();
      },
      final(done) {
        done();
        if (failed === undefined) resolve(html);
        else reject(failed);
      },
    });
    const { pipe, abort } = renderToPipeableStream(content, {
      // By default React sends lazy parts at the end of a long page and moves them by script, so they would be missing
      // without scripts.
      progressiveChunkSize: Infinity,
      onAllReady() {
        clearTimeout(limit);
        pipe(body);
      },
      onShellError(error) {
        clearTimeout(limit);
        reject(error);
      },
      onError(error) {
        failed ??= error;
      },
    });
    const limit = setTimeout(abort, RENDER_LIMIT_MS);
  });
}

/** The fonts of a page's first screen, to be fetched beside the style sheet instead of after it. */
const firstFonts = (language: string): readonly string[] => [
  ...(language === 'ar' ? [arabic, arabicBold, inter] : [inter, fraunces]),
  ...(['en', 'ar'].includes(language) ? [] : [interAccents]),
  ...(language === 'tr' ? [interTurkish, frauncesTurkish] : []),
];
