import { data, redirect, type RouterContextProvider } from 'react-router';
import type { Language } from '~/base/languages.ts';
import { cookieHeader } from '~/platform/http/cookies.server.ts';
import {
  addressContext,
  languageContext,
  platformContext,
} from '~/platform/http/request.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { formStarts, type DraftForm } from './draft-content.ts';
import { isEnded, noDraftCookie, openDraft, openerOf, type Draft } from './draft.server.ts';
import { begunBy, resume } from './resume.server.ts';

type Args = { params: { token: string }; context: Readonly<RouterContextProvider> };

/** Where a draft goes on. */
type PlaceOf = (platform: Platform, draft: Draft, language: Language) => Promise<string>;

/** The address contains the token, so the page is not cached. */
const headers = { 'Cache-Control': 'no-store' };

/** Loader and action of the page that an emailed link leads to. */
export function resumePage(form: DraftForm, placeOf: PlaceOf) {
  return {
    /** Email scanners follow links, so opening the page does not consume the link; its button does. */
    async load({ params, context }: Args) {
      const language = context.get(languageContext);
      const begun = await begunBy(form, context.get(platformContext), params.token, language);
      return data({ begun }, { status: begun ? 200 : 410, headers });
    },

    async act({ params, context }: Args) {
      const platform = context.get(platformContext);
      const resumed = await resume(form, platform, params.token, context.get(addressContext));
      if (!resumed.ok) {
        const tooMany = resumed.error === 'too_many';
        return data({ tooMany }, { status: tooMany ? 429 : 410, headers });
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
 * emailed link opened it.
 */
export function savedPage(form: DraftForm, placeOf: PlaceOf) {
  const start = formStarts[form.name];
  const isEndedHere = (platform: Platform, request: Request) =>
    isEnded(platform.db, openerOf(form, platform, request));
  return {
    async load({ request, context }: SavedArgs) {
      const platform = context.get(platformContext);
      if (await isEndedHere(platform, request)) return data({ goOn: null }, { headers });
      const draft = await openDraft(form, platform, request);
      if (!draft) throw redirect(start);
      const goOn = await placeOf(platform, draft, context.get(languageContext));
      return data({ goOn }, { headers });
    },

    /** Begins another application in a browser whose draft continues elsewhere. */
    async act({ request, context }: SavedArgs) {
      const platform = context.get(platformContext);
      const cleared = (await isEndedHere(platform, request))
        ? cookieHeader(noDraftCookie(form, platform))
        : {};
      return redirect(start, { status: 303, headers: cleared });
    },
  };
}
