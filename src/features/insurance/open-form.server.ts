import type { RouterContextProvider } from 'react-router';
import type { Language } from '~/base/languages.ts';
import { countryOptions } from '~/features/catalog/names.server.ts';
import { allCountries } from '~/features/catalog/store.server.ts';
import type { Queryable } from '~/platform/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { languageContext, platformContext } from '~/platform/request.server.ts';
import { translations } from '~/platform/translations.server.ts';
import { shownDestination } from './destination.server.ts';
import { newKey, openDraft } from './draft.server.ts';
import type { CoverView, FormView, KeptPhoto } from './form-view.ts';
import { nationalityNamed } from './nationality.server.ts';
import { photosOf } from './photo-store.server.ts';
import { choiceIn, daysTyped } from './plan-choice.ts';
import { plansOnSale } from './plan-store.server.ts';
import { planNamed } from './plans.ts';
import { currentTerms } from './terms-store.server.ts';
import { coverLimit, coverTitle } from './terms.ts';
import { selectPlan } from './trip.ts';

export type FormArgs = { request: Request; context: Readonly<RouterContextProvider> };

/** In the address after "Show the plans": the plan that the page had shown. */
export const PLAN_BEFORE = 'before';

/** The form as this browser left it; `?country=` fills in the nationality. */
export async function openForm({ request, context }: FormArgs): Promise<FormView> {
  const platform = context.get(platformContext);
  const language = context.get(languageContext);
  const { db } = platform;
  const [plans, countries, cover, draft] = await Promise.all([
    plansOnSale(db, platform.now()),
    allCountries(platform),
    coverView(db, language),
    openDraft(platform, request),
  ]);
  const typed = draft?.typed ?? {};
  const query = new URL(request.url).searchParams;
  const to = selectPlan(plans, daysTyped(typed), choiceIn(typed)).chosen;
  const from = planNamed(plans, query.get(PLAN_BEFORE) ?? '');
  const asked = query.get('country') ?? '';
  const nationality = nationalityNamed(countries, asked.slice(0, 100));
  return {
    plans,
    cover,
    countries: countryOptions(countries, language),
    typed: {
      ...draft?.typed,
      destination: shownDestination(draft?.typed.destination, language),
      ...(nationality ? { nationality } : {}),
    },
    photos: draft ? await keptPhotos(platform, draft.id) : [],
    moved: from && to && from.id !== to.id ? { from, to } : null,
    key: newKey(),
    now: platform.now().getTime(),
  };
}

/** The photos that came with earlier attempts. */
export async function keptPhotos(
  { db, sealer }: Pick<Platform, 'db' | 'sealer'>,
  draftId: string,
): Promise<KeptPhoto[]> {
  const photos = await photosOf(db, sealer, { draftId });
  return photos.map(({ id, name, size }) => ({ id, name, size }));
}

async function coverView(db: Queryable, language: Language): Promise<CoverView> {
  const terms = await currentTerms(db);
  const t = translations(language).getFixedT(null, 'insurance');
  return {
    isSample: terms.isSample,
    insurer: terms.insurer,
    lines: terms.covers.map((cover) => ({
      code: cover.code,
      title: coverTitle(cover, language, t),
      limit: coverLimit(cover, language, t),
    })),
  };
}
