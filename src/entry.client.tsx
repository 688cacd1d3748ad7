import { createInstance } from 'i18next';
import { startTransition, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { I18nextProvider, initReactI18next } from 'react-i18next';
import { HydratedRouter } from 'react-router/dom';
import { leaveToBrowser } from './ui/answers-form.ts';
import { keepPresses } from './ui/keep-presses.ts';
import { ReferenceProvider, referenceOnPage } from './features/site/reference.tsx';
import { rememberLanguage } from './ui/remember-language.ts';

// Grouped into one file per language, one more for staff and one for the test pages, by `vite.config.ts`. E-mails' and documents' texts stay on the server.
const files = import.meta.glob<Record<string, unknown>>(
  ['../locales/*/*.json', '!../locales/*/{notice,certificate,receipt}.json'],
  { import: 'default' },
);

const STAFF_ONLY = /\/(decision|desk|dossier|staff)\.json$/;
/** Test pages are always opened as documents of their own. */
const LAB_ONLY = /\/lab\.json$/;
const isLabPage = document.querySelector('.lab-index') !== null;
const isStaffPage = /^(\/[a-z]{2})?\/admin(\/|$)/.test(location.pathname);

async function textsOf(language: string) {
  const mine = Object.entries(files).filter(
    ([path]) =>
      path.includes(`/${language}/`) &&
      (isStaffPage || !STAFF_ONLY.test(path)) &&
      (isLabPage || !LAB_ONLY.test(path)),
  );
  const loaded = await Promise.all(
    mine.map(async ([path, load]) => [path.slice(path.lastIndexOf('/') + 1, -5), await load()]),
  );
  return Object.fromEntries(loaded);
}

const language = document.documentElement.lang;
rememberLanguage();
keepPresses();
leaveToBrowser();

const i18n = createInstance();
await i18n.use(initReactI18next).init({
  lng: language,
  resources: { [language]: await textsOf(language) },
  interpolation: { escapeValue: false },
});

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <I18nextProvider i18n={i18n}>
        <ReferenceProvider value={referenceOnPage(document)}>
          <HydratedRouter />
        </ReferenceProvider>
      </I18nextProvider>
    </StrictMode>,
  );
});
