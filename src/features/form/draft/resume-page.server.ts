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
import type { Draft } from './drafts.server.ts';

type Args = { params: { token: string }; context: Readonly<RouterContextProvider> };

/** The address contains the token, so the page is not cached. */
const headersOf = { 'Cache-Control': 'no-store' };

/** Loader and action of the page that an emailed link leads to; `placeOf`: where the draft goes on. */
export function resumePage<Step extends string>(
  links: {
    canResume: (platform: Platform, token: string) => Promise<boolean>;
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
      const isOpen = await links.canResume(context.get(platformContext), params.token);
      return data({ isOpen }, { status: isOpen ? 200 : 410, headers: headersOf });
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
