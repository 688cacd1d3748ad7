import { createContext, use } from 'react';

/** Answers null once all texts of the site are there; on the server they always are. */
const RestContext = createContext<() => Promise<unknown> | null>(() => null);

export const RestProvider = RestContext.Provider;

/** Suspends a page until its texts are there; until then the page before it stays visible. */
export function useAllTexts(isNeeded: boolean): void {
  const rest = use(RestContext);
  const coming = isNeeded ? rest() : null;
  if (coming) use(coming);
}
