import { createContext, useContext } from 'react';

/** Names this answer in the log, for a page that has to say that something failed; empty where there is none. */
const ReferenceContext = createContext('');

export const ReferenceProvider = ReferenceContext.Provider;

export const useReference = (): string => useContext(ReferenceContext);

/** The reference that the server's page shows, so that hydration finds the same. */
export const referenceOnPage = (page: Document): string =>
  page.querySelector('[data-reference]')?.textContent ?? '';
