import type { Platform } from '~/platform/platform.server.ts';
import type { makeTestApp } from '../../../../../test/pages.ts';

/** A browser without scripts on the settings pages, signed in by its cookie. */
export function settingsDesk(
  app: ReturnType<typeof makeTestApp>,
  platform: Platform,
  cookie: string,
) {
  async function open(path: string) {
    const response = await app.request(path, { headers: { cookie } });
    return { status: response.status, html: await response.text() };
  }

  /** Presses a button of the page's form, with the form's values and those given. */
  async function press(
    path: string,
    intent: string,
    html: string,
    typed: Record<string, string> = {},
  ) {
    const body = new URLSearchParams({ ...controlsOf(html), ...typed, intent });
    const response = await app.request(path, {
      method: 'POST',
      headers: { cookie, origin: platform.config.publicUrl },
      body,
    });
    return {
      status: response.status,
      location: response.headers.get('location'),
      html: await response.text(),
    };
  }

  return { open, press };
}

const unescaped = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&amp;', '&');

/** The values that a browser would send: every input, radio buttons only where chosen. */
function controlsOf(html: string): Record<string, string> {
  const main = html.slice(html.indexOf('<main'), html.indexOf('id="history"'));
  const inputs = [...main.matchAll(/<input[^>]*>/g)].flatMap(([tag]) => {
    const name = /name="([^"]*)"/.exec(tag)?.[1];
    if (!name || (tag.includes('type="radio"') && !tag.includes('checked'))) return [];
    return [[name, unescaped(/ value="([^"]*)"/.exec(tag)?.[1] ?? '')] as const];
  });
  const selects = [...main.matchAll(/<select[^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/gs)].map(
    ([, name = '', options = '']) =>
      [
        name,
        /<option[^>]*selected[^>]*value="([^"]*)"|<option[^>]*value="([^"]*)"[^>]*selected/
          .exec(options)
          ?.slice(1)
          .find(Boolean) ?? '',
      ] as const,
  );
  const areas = [...main.matchAll(/<textarea[^>]*name="([^"]*)"[^>]*>([^<]*)</g)].map(
    ([, name = '', text = '']) => [name, unescaped(text)] as const,
  );
  return Object.fromEntries([...inputs, ...selects, ...areas]);
}
