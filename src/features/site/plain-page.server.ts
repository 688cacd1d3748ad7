import { createHash, randomUUID } from 'node:crypto';
import { textDirection, type Language } from '~/base/languages.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';

/** An id for one failure, shown to the visitor and logged. */
export const newReference = (): string => randomUUID().slice(0, 8);

/** Inline style, because the page must work when nothing else does. */
const STYLE = `:root{color-scheme:light}body{margin:0;padding:12vh 20px 40px;background:#fbf8f2;color:#0b2a3c;font:17px/26px Inter,system-ui,sans-serif}
main{max-width:620px;margin:0 auto}svg{display:block;margin-bottom:28px}h1{margin:0 0 14px;font:600 33px/39px Fraunces,Georgia,serif}:lang(ar) h1{font:600 31px/48px system-ui,sans-serif}
p{margin:0 0 14px;color:#41586a}a{display:inline-block;padding:9px 0;color:#1f4e9e}code{font:500 16px/24px ui-monospace,monospace;color:#0b2a3c}`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const MARK =
  '<svg aria-hidden="true" width="38" height="51" viewBox="0 0 25 34"><path fill="#0b2a3c" d="M4.3 4.7C2.7 10.2 2.8 15.600 3.300 20c.8 7.400 4.500 12.600 9 12.700-.4-4.200-.8-9-1.500-13.700-.9-5.600-3-10.200-6.500-14.300M20.700 4.700c1.600 5.500 1.500 10.900 1 15.300-.8 7.400-4.500 12.600-9 12.700.4-4.200.8-9 1.500-13.700.9-5.600 3-10.200 6.500-14.300"/><path fill="#c9493b" d="M12.500 1.200c1.500 4.600 2.200 9 2.200 13.200 0 4.600-.9 9-2.200 13.400-1.300-4.400-2.200-8.800-2.200-13.400 0-4.200.7-8.600 2.200-13.200"/></svg>';

/** A page without the framework, for when that fails or must not be used. */
function plainPage(
  language: Language,
  { status, title, html, headers }: PlainPage & { headers?: Record<string, string> },
): Response {
  const document = `<!DOCTYPE html><html lang="${language}" dir="${textDirection(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="format-detection" content="telephone=no, date=no, address=no, email=no"><meta name="robots" content="noindex"><title>${escape(title)} · Lale</title><link rel="icon" href="/favicon.svg" type="image/svg+xml"><style>${STYLE}</style></head><body><main>${MARK}<h1>${escape(title)}</h1>${html}</main></body></html>`;
  return new Response(document, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': language,
      'Cache-Control': 'no-store',
      'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      ...headers,
    },
  });
}

type PlainPage = { status: number; title: string; html: string };

const escape = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0) ?? 38};`);

/** "Something went wrong on our side", with the reference to give when writing to us. */
export function failurePage(language: Language, reference: string): Response {
  const t = makeTranslate(language, 'site');
  const named = t('failure.reference', { reference: escape(reference) });
  return plainPage(language, {
    status: 500,
    title: t('failure.title'),
    html: `<p>${escape(t('failure.lead'))}</p><p>${named}</p><p><a href="/${language}">${escape(t('failure.home'))}</a></p>`,
  });
}

/** Seconds after which browsers and crawlers should try again. */
export const MAINTENANCE_RETRY_SECONDS = 300;

export function maintenancePage(language: Language): Response {
  const t = makeTranslate(language, 'site');
  return plainPage(language, {
    status: 503,
    title: t('maintenance.title'),
    html: `<p>${escape(t('maintenance.lead'))}</p>`,
    headers: { 'Retry-After': String(MAINTENANCE_RETRY_SECONDS) },
  });
}

/**
 * A form that could not be read. `back`: the path of the page that sent it. `tooLargeBytes`: the limit that it broke;
 * where that is of megabytes the page takes files, elsewhere text alone.
 */
export function unreadablePage(
  language: Language,
  { status, back, tooLargeBytes }: { status: number; back: string; tooLargeBytes?: number },
): Response {
  const t = makeTranslate(language, 'site');
  const kilobytes = (tooLargeBytes ?? 0) / 1024;
  const lead = !kilobytes
    ? t('unreadable.lead')
    : kilobytes < 1024
      ? t('unreadable.tooLong', { kilobytes })
      : t('unreadable.tooLarge', { megabytes: kilobytes / 1024 });
  return plainPage(language, {
    status,
    title: t('unreadable.title'),
    html: `<p>${escape(lead)}</p><p><a href="${escape(back)}">${escape(t('unreadable.again'))}</a></p><p><a href="/${language}">${escape(t('failure.home'))}</a></p>`,
  });
}

/** "Your browser blocks cookies": nothing that was sent can be shown again. `way`: the path that it led to. */
export function cookiesPage(language: Language, way: string): Response {
  const t = makeTranslate(language, 'site');
  return plainPage(language, {
    status: 400,
    title: t('cookies.title'),
    html: `<p>${escape(t('cookies.lead'))}</p><p>${escape(t('cookies.how'))}</p><p><a href="${escape(way)}">${escape(t('cookies.again'))}</a></p><p><a href="/${language}">${escape(t('failure.home'))}</a></p>`,
  });
}

/** Seconds after which a visitor refused under load may try again. */
export const BUSY_RETRY_SECONDS = 5;

/** "Too many people at once", with a link to the same address. */
export function busyPage(language: Language): Response {
  const t = makeTranslate(language, 'site');
  return plainPage(language, {
    status: 503,
    title: t('busy.title'),
    html: `<p>${escape(t('busy.lead'))}</p><p><a href="">${escape(t('busy.again'))}</a></p>`,
    headers: { 'Retry-After': String(BUSY_RETRY_SECONDS) },
  });
}
