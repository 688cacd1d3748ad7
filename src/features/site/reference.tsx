import { createContext, useContext } from 'react';

/** The id of this response, for pages about a failure; empty where there is none. */
const ReferenceContext = createContext('');

export const ReferenceProvider = ReferenceContext.Provider;

export const useReference = (): string => useContext(ReferenceContext);

/** The reference in the server's page, so that hydration uses the same. */
export const referenceOnPage = (page: Document): string =>
  page.querySelector('[data-reference]')?.textContent ?? '';
