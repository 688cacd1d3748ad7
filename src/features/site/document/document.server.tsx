import { Writable } from 'node:stream';
import { stringify } from 'devalue';
import type { ReactNode } from 'react';
import { renderToPipeableStream, renderToString } from 'react-dom/server';
import { textDirection, type Language } from '~/base/languages.ts';
import { loadedTexts } from '~/i18n/translations.server.ts';
import { firstFonts } from '~/ui/font-preloads.ts';
import { printSheet } from '~/ui/style-sheets.ts';
import { PAGE_DATA_ID, PAGE_FILES_ID, type PageData, type PageFiles } from '~/ui/page/page-data.ts';
import { TOASTS_ID } from '~/ui/page/toast.tsx';
import { TextsProvider } from '~/ui/texts/texts.tsx';
import { ReferenceProvider } from '../reference.tsx';
import { SiteProvider } from '../site-context.tsx';
import { frameMarkup, type FrameFacts } from './frame-markup.server.tsx';
import { STARTER } from './starter.server.ts';

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
