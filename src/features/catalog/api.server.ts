import { Hono } from 'hono';
import { etag } from 'hono/etag';
import { z } from 'zod';
import { chooseLanguage, isLanguage, type Language, languageCodes } from '~/base/languages.ts';
import { oncePerLanguage } from '~/base/once-per-language.ts';
import { freshSeconds } from '~/features/settings/change.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { toCountryAnswer, type CountryAnswer } from './country-answer.ts';
import { countryOptions } from './names.server.ts';
import type { Country } from './regime.ts';
import { seedAll, type Seeder } from './seed.server.ts';
import { allCountries } from './store.server.ts';

/** What `GET /api/countries` takes. Without a language: the browser's if supported, else English. */
export const countriesQuery = z.object({
  language: z.enum(languageCodes).optional(),
});

/** The catalog's calls. `seeders`: those of all features, as `POST /api/seed` seeds the whole service. */
export function catalogApi({ db, now }: Pick<Platform, 'db' | 'now'>, seeders: readonly Seeder[]) {
  const app = new Hono();

  app.get('/api/countries', etag({ weak: true }), async (c) => {
    const { language: named } = c.req.query();
    const acceptLanguage = c.req.header('accept-language');
    const language = isLanguage(named)
      ? named
      : chooseLanguage({ saved: undefined, acceptLanguage });
    c.header('Content-Language', language);
    c.header('Vary', 'Accept-Language');
    const at = now();
    c.header(
      'Cache-Control',
      `public, max-age=${freshSeconds(await currentSettings(db), at, 600)}`,
    );
    return c.json(answerIn(await allCountries({ db, now }), language));
  });

  app.post('/api/seed', async (c) => {
    const { counts, inserted } = await seedAll(db, seeders, now());
    c.header('Cache-Control', 'no-store');
    return c.json({ ...counts, inserted });
  });

  return app;
}

/** Sorted by name in the language. */
const answerIn = oncePerLanguage(
  (countries: readonly Country[], language: Language): readonly CountryAnswer[] => {
    const byCode = new Map(countries.map((country) => [country.code, country]));
    return countryOptions(countries, language).flatMap(({ id, name }) => {
      const country = byCode.get(id);
      return country ? [toCountryAnswer(country, name)] : [];
    });
  },
);
