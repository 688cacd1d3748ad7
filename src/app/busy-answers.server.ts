import { randomInt } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { languages, type Language } from '~/base/languages.ts';
import { BUSY_RETRY_SECONDS, busyPage } from '~/features/site/plain-page.server.ts';
import { languageOf } from '~/i18n/page-language.server.ts';
import type { BusyAnswer } from '~/platform/admission/listener.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { setSecurityHeaders } from '~/platform/http/security.server.ts';
import { busyProblem } from './pages/refusals.server.ts';

/** The answer while the service is overloaded: a page in the language of a visitor, a problem for a program. */
export async function makeBusyAnswers({
  config,
}: Pick<Platform, 'config'>): Promise<(incoming: IncomingMessage) => BusyAnswer> {
  const isSecure = config.publicUrl.startsWith('https:');
  const make = async (response: Response): Promise<BusyAnswer> => {
    setSecurityHeaders(response.headers, isSecure);
    const body = Buffer.from(await response.arrayBuffer());
    response.headers.set('Content-Length', String(body.length));
    return { status: response.status, headers: Object.fromEntries(response.headers), body };
  };
  const forPrograms = await make(busyProblem());
  const pages = new Map<Language, BusyAnswer>();
  for (const { code } of languages) pages.set(code, await make(busyPage(code)));

  return (incoming) => {
    if (!incoming.headers.accept?.includes('text/html')) return forPrograms;
    const page = pages.get(languageFor(incoming));
    if (!page) return forPrograms;
    // A page that was only asked for comes by itself, not all at once; a form is never sent again unasked.
    const seconds = BUSY_RETRY_SECONDS + randomInt(BUSY_RETRY_SECONDS);
    return incoming.method === 'GET'
      ? { ...page, headers: { ...page.headers, Refresh: String(seconds) } }
      : page;
  };
}

function languageFor({ url = '/', headers }: IncomingMessage): Language {
  const get = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? value : null;
  };
  // An address that is no URL by itself, such as `//`, still has a path here.
  return languageOf({ url: `http://localhost/.${url}`, headers: { get } });
}
