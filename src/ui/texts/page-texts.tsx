import { createContext, use } from 'react';

/** Answers null once all texts of the site are there; on the server they always are. */
const RestContext = createContext<() => Promise<unknown> | null>(() => null);

export const RestProvider = RestContext.Provider;

/** Keeps a page back, and the one before it in sight, until the texts that it may say have come. */
export function useAllTexts(isNeeded: boolean): void {
  const rest = use(RestContext);
  const coming = isNeeded ? rest() : null;
  if (coming) use(coming);
}
