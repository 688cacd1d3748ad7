import type { Language } from '~/base/languages.ts';
import type { CoverView } from './form-view.ts';
import { coverLimit, coverTitle, type Terms } from './terms.ts';

/** Terms as a page shows them beside the price, in its language; without terms nothing is covered, or sold. */
export const coverView = (
  terms: Terms | null,
  language: Language,
  t: (key: string) => string,
): CoverView => ({
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
});
