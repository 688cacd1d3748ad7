import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Language } from '~/base/languages.ts';
import type { CoverView } from '~/features/application/cover-view.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import { termsOfNumbers } from './terms-store.server.ts';
import { coverLimit, coverTitle, type Terms } from '../rules/terms.ts';

/** Terms as a page shows them beside the price, in its language; without terms the list is empty. */
export function coverView(terms: Terms | null, language: Language): CoverView {
  const t = textsIn(language, 'insurance');
  return {
    version: terms?.version ?? null,
    insurer: terms?.insurer ?? null,
    address: terms?.address ?? null,
    licence: terms?.licence ?? null,
    assistancePhone: terms?.assistancePhone ?? null,
    complaintContact: terms?.complaintContact ?? null,
    lines: (terms?.covers ?? []).map((cover) => ({
      code: cover.code,
      title: coverTitle(cover, language, t),
      limit: coverLimit(cover, language, t),
    })),
  };
}

/** The terms that insurances were bought on, each version once; empty for applications of another kind. */
export const boughtCovers = async (
  db: Queryable,
  applicationNumbers: readonly string[],
  language: Language,
): Promise<CoverView[]> =>
  (await termsOfNumbers(db, applicationNumbers)).map((terms) => coverView(terms, language));
