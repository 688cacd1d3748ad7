import { createContext } from 'react-router';
import type { Language } from '~/base/languages.ts';
import type { Platform } from '../platform.server.ts';

/** What every loader and action gets beside its Request: set once per request by `pages.server.tsx`. */
export const platformContext = createContext<Platform>();
export const languageContext = createContext<Language>();
/** The nonce of this answer's content security policy. */
export const nonceContext = createContext<string>();
/** Names this answer in the log, and on the page when it failed. */
export const referenceContext = createContext<string>();
/** The sender's address, for rate limits and the payment partner's fraud checks; never stored with an application. */
export const addressContext = createContext<string>();
/** Whether this answer failed because the database gave no connection; its page is then 503, not 500. */
export const failureContext = createContext<{ noConnection: boolean }>();

/** Headers of a page or file with personal or secret data: no cache stores it and no search engine lists it. */
export const PRIVATE_PAGE = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };

/** The same for a page that limits guesses, with the `Retry-After` of its loader or action. */
export function limitedPrivatePage({
  loaderHeaders,
  actionHeaders,
}: {
  loaderHeaders: Headers;
  actionHeaders: Headers;
}): Headers {
  const headers = new Headers(PRIVATE_PAGE);
  const wait = actionHeaders.get('Retry-After') ?? loaderHeaders.get('Retry-After');
  if (wait) headers.set('Retry-After', wait);
  return headers;
}
