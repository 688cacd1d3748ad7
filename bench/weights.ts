import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

/** Bytes as sent (brotli) that a page's first screen loads, by kind. */
export type Weight = {
  html: number;
  script: number;
  style: number;
  font: number;
  largestFont: number;
  /** Number of style sheets that a page is drawn with on a screen. */
  sheets: number;
};

const KILO = 1024;

/** The pages with a weight limit, in bytes of script, inline script included. */
export const limits = [
  { name: 'home', path: '/en', script: 8 * KILO },
  { name: 'FAQ', path: '/en/faq', script: 8 * KILO },
  { name: 'processing times', path: '/en/processing-times', script: 8 * KILO },
  // Two more than before: what each travel document needs, nationality by nationality, and one head of refused forms.
  { name: 'wizard, step one', path: '/en/application', script: 92 * KILO },
] as const;

/** Preloaded fonts, in bytes. */
export const FONT_LIMIT = 48 * KILO;

/**
 * The style sheet, in bytes: with its headers, what a server may send before the browser has confirmed anything, ten
 * segments of 1,460 bytes (RFC 6928). A byte more costs every first visit another round trip before anything is seen.
 */
export const STYLE_LIMIT = 14_000;

/** One preloaded font, in bytes: the same with the fewer headers that fonts have. */
export const FONT_FILE_LIMIT = 14_150;

/** The first part of its language's texts, which a page with the framework also loads. */
function textsFor(html: string): string[] {
  const language = /<html lang="(\w+)"/.exec(html)?.[1] ?? 'en';
  const folder = join(import.meta.dirname, '..', 'build', 'client', 'assets');
  return html.includes('/assets/entry.client')
    ? readdirSync(folder)
        .filter((name) => name.startsWith(`texts-${language}-start-`) && name.endsWith('.js'))
        .map((name) => `/assets/${name}`)
    : [];
}

/** Reads a page and everything its HTML names: style sheets, scripts, preloaded modules, fonts. */
export async function weigh(url: string): Promise<Weight> {
  const page = await sent(url);
  const named = (pattern: RegExp) => [
    ...new Set([...page.text.matchAll(pattern)].map(([, path = '']) => path)),
  ];
  // Including those loaded by the page's last script: see `later-scripts.server.ts`.
  const scripts = named(/"(\/assets\/[^"]+\.js)"/g);
  const styles = named(/<link (?![^>]*media="print")[^>]*href="(\/assets\/[^"#]+\.css)[#"]/g);
  const fonts = named(/<link[^>]*href="(\/assets\/[^"]+\.woff2)"/g);
  const each = async (paths: readonly string[]) =>
    (await Promise.all(paths.map((path) => sent(new URL(path, url).href)))).map(
      ({ bytes }) => bytes,
    );
  const total = async (paths: readonly string[]) =>
    (await each(paths)).reduce((sum, bytes) => sum + bytes, 0);
  const [script, style, font, fontFiles] = await Promise.all([
    total([...new Set([...scripts, ...textsFor(page.text)])]),
    total(styles),
    total(fonts),
    each(fonts),
  ]);
  // Inline script is counted, too.
  const inline = [
    ...page.text.matchAll(/<script(?![^>]*(?: src=|ld\+json))[^>]*>([\s\S]*?)<\/script>/g),
  ]
    .map(([, text = '']) => text)
    .join('');
  const inlined = inline === '' ? 0 : brotliCompressSync(inline).length;
  const largestFont = Math.max(0, ...fontFiles);
  return {
    html: page.bytes,
    script: script + inlined,
    style,
    font,
    largestFont,
    sheets: styles.length,
  };
}

/** `fetch` decompresses without reporting the size: it is in the header, or the text is compressed here. */
async function sent(url: string): Promise<{ bytes: number; text: string }> {
  const answer = await fetch(url, { headers: { 'accept-encoding': 'br' } });
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
  const body = Buffer.from(await answer.arrayBuffer());
  const length = answer.headers.get('content-length');
  const packed = answer.headers.get('content-encoding') === 'br';
  const bytes = length ? Number(length) : packed ? brotliCompressSync(body).length : body.length;
  return { bytes, text: body.toString('utf8') };
}
