import { createInstance, type i18n, type Resource } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { languages, type Language } from '~/base/languages.ts';

const files = import.meta.glob<Record<string, unknown>>('../../locales/*/*.json', {
  eager: true,
  import: 'default',
});

const resources: Resource = {};
for (const [path, texts] of Object.entries(files)) {
  const [language, file] = path.split('/').slice(-2);
  if (language === undefined || file === undefined) continue;
  (resources[language] ??= {})[file.replace('.json', '')] = texts as Resource[string][string];
}

/**
 * One instance per language, made at boot and never switched: a request cannot see another's language.
 * A missing text falls back to English, then to its key (specification, section 1).
 */
const instances = new Map<Language, i18n>();
for (const { code } of languages) {
  const instance = createInstance();
  void instance.use(initReactI18next).init({
    lng: code,
    fallbackLng: 'en',
    resources,
    initAsync: false,
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  instances.set(code, instance);
}

export function translations(language: Language): i18n {
  const instance = instances.get(language);
  if (!instance) throw new Error(`No texts for ${language}`);
  return instance;
}
