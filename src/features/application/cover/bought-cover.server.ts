import { createContext } from 'react-router';
import type { Language } from '~/base/languages.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { CoverView } from './cover-view.ts';

/**
 * The terms that insurances were bought on, each version once, in a language; applications of another kind have none.
 * The insurance feature knows them, and the composition hands them in.
 */
export type BoughtCovers = (
  db: Queryable,
  applicationNumbers: readonly string[],
  language: Language,
) => Promise<CoverView[]>;

export const boughtCoversContext = createContext<BoughtCovers>();
