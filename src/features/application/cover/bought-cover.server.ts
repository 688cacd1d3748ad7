import { createContext } from 'react-router';
import type { Language } from '~/base/languages.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { CoverView } from './cover-view.ts';

/**
 * The terms that insurances were bought on, each version once, in a language; empty for applications of another kind. A
 * parameter, because the insurance feature stands above this one: `src/app` passes it in.
 */
export type BoughtCovers = (
  db: Queryable,
  applicationNumbers: readonly string[],
  language: Language,
) => Promise<CoverView[]>;

export const boughtCoversContext = createContext<BoughtCovers>();
