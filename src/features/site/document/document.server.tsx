import { Writable } from 'node:stream';
import { stringify } from 'devalue';
import type { ReactNode } from 'react';
import { renderToPipeableStream, renderToString } from 'react-dom/server';
import { directionOf, type Language } from '~/base/languages.ts';
import { loadedTexts } from '~/i18n/translations.server.ts';
import { firstFonts } from '~/ui/font-preloads.ts';
import { PAGE_DATA_ID, PAGE_FILES_ID, type PageData, type PageFiles } from '~/ui/page/page-data.ts';
import { TOASTS_ID } from '~/ui/toast/toast.tsx';
import { TextsProvider } from '~/ui/texts/texts.tsx';
import { ReferenceProvider } from '../reference.tsx';
import { SiteProvider } from '../site-context.tsx';
import { frameMarkup, type FrameOf } from './frame-markup.server.tsx';
import { STARTER } from './starter.server.ts';

/** What a document is made of beside its content. */
export type DocumentParts = {
  frame: FrameOf;
  /** Pages with a look of their own stand alone. */
  isFramed: boolean;
  /** Names this answer, for a page that has to say that something failed. */
  reference: string;
  styles: readonly string[];
  /** The framework's script and what it begins with; null for a page without. */
  scripts: { files: PageFiles; data: PageData; hasFirstTexts: boolean } | null;
  /** The script of a page without the framework. */
  pageScript: string;
};

/** A page that does not render by then is an error. */
const RENDER_LIMIT_MS = 10_000;

/**
 * Draws a whole document, as the bytes that are sent. The content's own `title` and `meta` go to the head.
 * @throws whatever the content throws
 */
export async function drawDocument(content: ReactNode, parts: DocumentParts): Promise<Buffer> {
  const { frame, isFramed, reference, scripts } = parts;
  const { language, site } = frame;
  const drawn = await draw(
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
  // Each by itself: one letter beyond Latin-1 makes a whole string take ten times as long to encode.
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
  return `<!DOCTYPE html><html lang="${language}" dir="${directionOf(language)}"${texts}><head><meta charset="utf-8"/><meta content="width=device-width, initial-scale=1" name="viewport"/><meta content="#0B2A3C" name="theme-color"/>${fonts}<link href="/favicon.svg" rel="icon" type="image/svg+xml"/><link href="/apple-touch-icon.png" rel="apple-touch-icon"/><link href="/manifest.webmanifest" rel="manifest"/>${sheets}`;
}

const withData = (files: PageFiles, data: PageData): string =>
  dataBlock(PAGE_DATA_ID, stringify(data)) + filesAndStarter(files);

/** Of a route, the same in every request. */
function filesAndStarter(files: PageFiles): string {
  const known = starters.get(files);
  if (known !== undefined) return known;
  const block = dataBlock(PAGE_FILES_ID, JSON.stringify(files));
  const made = `${block}<script>${STARTER}</script>`;
  starters.set(files, made);
  return made;
}

const starters = new WeakMap<PageFiles, string>();

/** A data block is no script to the content policy; nothing in it can end it. */
const dataBlock = (id: string, text: string): string =>
  `<script id="${id}" type="application/json">${text.replaceAll('<', String.raw`\u003c`)}</script>`;

/**
 * Renders before the first byte is sent: no page defers data, and a late error can still become a 500. In one go where every
 * lazy part is loaded, as it is from the second time on; that takes two thirds of the time.
 */
export async function draw(content: ReactNode): Promise<string> {
  return drawAtOnce(content) ?? drawPatiently(content);
}

/** React's mark for a boundary whose content was not there. */
const UNFINISHED = '<!--$!-->';

/** Null where something has to be waited for, or has failed: the patient way tells which. */
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
      // React otherwise sends what is lazy at the end of a long page and moves it by script: unseen without scripts.
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
