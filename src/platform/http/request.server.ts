import { createContext } from 'react-router';
import type { Language } from '~/base/languages.ts';
import type { Platform } from '../platform.server.ts';

/** What every loader and action gets beside its Request: set once per request by `pages.server.ts`. */
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
