import { DAY_MS } from '~/base/dates/dates.ts';
import { Hono } from 'hono';
import { languages, languageCodes } from '~/base/languages.ts';
import { currentOperator } from '~/features/settings/operator.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { speculationRules, listedPages } from './listed-pages.ts';
import { pageUrl, alternates } from './navigation.ts';
import { isInformationPage, lastChanged } from './pages.ts';
import type { Operator } from '~/platform/config/config.server.ts';

/** Days until the text expires; less than a year (RFC 9116, 2.5.5). */
const GOOD_DAYS = 180;
/**
 * `/.well-known/security.txt` after RFC 9116: how to report a vulnerability. Null while the operator's address is a
 * placeholder, as a contact is required.
 */
export function securityText(
  { supportEmail, contactUrl }: Pick<Operator, 'supportEmail' | 'contactUrl'>,
  { publicUrl, now }: { publicUrl: string; now: Date },
): string | null {
  const isAddress = /^[^\s@[\]]+@[^\s@[\]]+$/.test(supportEmail);
  const contacts = [
    ...(isAddress ? [`mailto:${supportEmail}`] : []),
    ...(contactUrl?.startsWith('https:') ? [contactUrl] : []),
  ];
  if (contacts.length === 0) return null;
  const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${new Date(midnight + GOOD_DAYS * DAY_MS).toISOString()}`,
    `Preferred-Languages: ${languageCodes.join(', ')}`,
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    `Policy: ${publicUrl}/security`,
    '',
  ].join('\n');
}

const DAY = 'public, max-age=86400';

/** The rules by which browsers prefetch; content pages name the address in a header. */
export const SPECULATION_RULES = '/speculation-rules.json';

/** Files for crawlers and browsers. */
export function siteApi(platform: Pick<Platform, 'config' | 'db' | 'now'>) {
  const { config } = platform;
  const app = new Hono();
  const rules = JSON.stringify(speculationRules);
  const map = sitemap(config.publicUrl);

  app.get(SPECULATION_RULES, (c) =>
    c.body(rules, 200, {
      'Content-Type': 'application/speculationrules+json',
      'Cache-Control': DAY,
    }),
  );
  app.get('/robots.txt', (c) => {
    c.header('Cache-Control', DAY);
    return c.text(robots(config.publicUrl));
  });
  app.get('/.well-known/security.txt', async (c) => {
    const { publicUrl } = config;
    const text = securityText(await currentOperator(platform), { publicUrl, now: platform.now() });
    if (!text) return c.notFound();
    c.header('Cache-Control', DAY);
    return c.text(text);
  });
  app.get('/sitemap.xml', (c) =>
    c.body(map, 200, { 'Content-Type': 'application/xml; charset=utf-8', 'Cache-Control': DAY }),
  );
  return app;
}

/** Pages of one visitor say `noindex` themselves, so crawlers must be allowed to read them. */
function robots(origin: string): string {
  const closed = ['/api/', '/paypal/', '/admin', '/lab/', '/documents/', '/pay'];
  return [
    'User-agent: *',
    ...closed.map((path) => `Disallow: ${path}${path === '/pay' ? '$' : ''}`),
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n');
}

/** Every listed page in every language, each naming its translations. */
function sitemap(origin: string): string {
  const entries = listedPages.flatMap((page) => {
    const name = page.slice(1);
    const changed = isInformationPage(name) ? `<lastmod>${lastChanged[name]}</lastmod>` : '';
    const others = alternates(origin, page)
      .map(
        ({ hreflang, href }) =>
          `<xhtml:link rel="alternate" hreflang="${hreflang}" href="${inXml(href)}"/>`,
      )
      .join('');
    return languages.map(
      ({ code }) =>
        `<url><loc>${inXml(pageUrl(origin, code, page))}</loc>${changed}${others}</url>`,
    );
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${entries.join('\n')}
</urlset>
`;
}

const inXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
