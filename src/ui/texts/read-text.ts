/** A namespace as its file in `locales` has it: texts and groups of texts. */
export type Texts = { readonly [key: string]: string | Texts };

/** What goes into a text's `{{places}}`, and how to look it up. */
export type Values = Readonly<Record<string, string | number | null | undefined>>;

export type TextSource = {
  language: string;
  /** Undefined while the namespace is not loaded. */
  textsOf: (namespace: string) => Texts | undefined;
};

/**
 * Reads a text the way i18next does, as far as Lale's texts use it: `namespace:key.of.it`, plural forms by `count`,
 * `{{places}}`, `defaultValue`. What is missing is its key.
 */
export function readText(
  { language, textsOf }: TextSource,
  namespace: string,
  path: string,
  values: Values = {},
): string {
  const colon = path.indexOf(':');
  const texts = textsOf(colon < 0 ? (asText(values.ns) ?? namespace) : path.slice(0, colon));
  const key = path.slice(colon + 1);
  const form = typeof values.count === 'number' ? pluralForm(language, values.count) : null;
  const found =
    (values.count === 0 && form !== null ? textAt(texts, `${key}_zero`) : undefined) ??
    (form === null ? undefined : textAt(texts, `${key}_${form}`)) ??
    textAt(texts, key) ??
    asText(values.defaultValue) ??
    key;
  return found.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, place: string) => String(values[place] ?? ''));
}

const rules = new Map<string, Intl.PluralRules>();

function pluralForm(language: string, count: number): Intl.LDMLPluralRule {
  let known = rules.get(language);
  if (!known) rules.set(language, (known = new Intl.PluralRules(language)));
  return known.select(count);
}

function textAt(texts: Texts | undefined, key: string): string | undefined {
  let at: string | Texts | undefined = texts;
  for (const name of key.split('.')) at = typeof at === 'object' ? at[name] : undefined;
  return asText(at);
}

const asText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;
