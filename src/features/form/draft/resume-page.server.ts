import { data, redirect, type RouterContextProvider } from 'react-router';
import type { Language } from '~/base/languages.ts';
import { cookieHeader, type SetCookie } from '~/platform/http/cookies.server.ts';
import {
  addressContext,
  languageContext,
  platformContext,
} from '~/platform/http/request.server.ts';
import type { Outcome } from '~/base/outcome.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Draft, Drafts } from './drafts.server.ts';
import type { BegunAnswers } from './resume.server.ts';

type Args = { params: { token: string }; context: Readonly<RouterContextProvider> };

/** The address contains the token, so the page is not cached. */
const headersOf = { 'Cache-Control': 'no-store' };

/** Loader and action of the page that an emailed link leads to; `placeOf`: where the draft goes on. */
export function resumePage<Step extends string>(
  links: {
    begunBy: (
      platform: Platform,
      token: string,
      language: Language,
    ) => Promise<BegunAnswers | null>;
    resume: (
      platform: Platform,
      token: string,
      address: string,
    ) => Promise<Outcome<{ draft: Draft<Step>; setCookie: SetCookie }, 'over' | 'too_many'>>;
  },
  placeOf: (platform: Platform, draft: Draft<Step>, language: Language) => Promise<string>,
) {
  return {
    /** Email scanners follow links, so opening the page does not consume the link; its button does. */
    async load({ params, context }: Args) {
      const language = context.get(languageContext);
      const begun = await links.begunBy(context.get(platformContext), params.token, language);
      return data({ begun }, { status: begun ? 200 : 410, headers: headersOf });
    },

    async act({ params, context }: Args) {
      const platform = context.get(platformContext);
      const resumed = await links.resume(platform, params.token, context.get(addressContext));
      if (!resumed.ok) {
        const tooMany = resumed.error === 'too_many';
        return data({ tooMany }, { status: tooMany ? 429 : 410, headers: headersOf });
      }
      const { draft, setCookie } = resumed.value;
      const place = await placeOf(platform, draft, context.get(languageContext));
      return redirect(place, { status: 303, headers: cookieHeader(setCookie) });
    },
  };
}

type SavedArgs = { request: Request; context: Readonly<RouterContextProvider> };

/**
 * Loader and action of the page after "save for later", which also tells a browser that its draft continues where an
 * emailed link opened it. `start`: where a form begins; `placeOf`: where this browser's draft goes on.
 */
export function savedPage<Step extends string, Own extends Draft<Step>>(
  drafts: {
    open: (platform: Platform, request: Request) => Promise<Own | null>;
  } & Pick<Drafts<Step, never>, 'isEnded' | 'noCookie'>,
  start: string,
  placeOf: (platform: Platform, draft: Own, language: Language) => Promise<string>,
) {
  return {
    async load({ request, context }: SavedArgs) {
      const platform = context.get(platformContext);
      if (await drafts.isEnded(platform, request))
        return data({ goOn: null }, { headers: headersOf });
      const draft = await drafts.open(platform, request);
      if (!draft) throw redirect(start);
      const goOn = await placeOf(platform, draft, context.get(languageContext));
      return data({ goOn }, { headers: headersOf });
    },

    /** Begins another application in a browser whose draft continues elsewhere. */
    async act({ request, context }: SavedArgs) {
      const platform = context.get(platformContext);
      const isEnded = await drafts.isEnded(platform, request);
      const headers = isEnded ? cookieHeader(drafts.noCookie(platform)) : {};
      return redirect(start, { status: 303, headers });
    },
  };
}
