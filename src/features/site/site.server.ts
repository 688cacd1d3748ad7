import { currentOperator } from '~/features/settings/operator.server.ts';
import type { Language } from '~/base/languages.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import type { Site } from './site-context.tsx';

/** What every visitor's page needs to know of the site. */
export async function currentSite(platform: Platform, language: Language): Promise<Site> {
  const { config, now } = platform;
  // Without the database, a page about the failure uses the configured operator.
  const operator = await currentOperator(platform).catch(() => config.operator);
  const testMode = config.mode === 'test' ? bannerIn(language) : null;
  return { origin: config.publicUrl, operator, year: now().getUTCFullYear(), testMode };
}

const banners = new Map<Language, NonNullable<Site['testMode']>>();

/** The banner on every page in test mode. */
function bannerIn(language: Language): NonNullable<Site['testMode']> {
  let banner = banners.get(language);
  if (!banner) {
    const t = makeTranslate(language, 'test-mode');
    banner = { text: t('banner'), link: t('bannerLink'), to: `/${language}/test-mode` };
    banners.set(language, banner);
  }
  return banner;
}
