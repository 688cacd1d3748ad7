/** The visible texts of a page, without those that menus and selects list in every language alike. */
export function htmlTexts(html: string): string[] {
  const body = html
    .slice(html.indexOf('<body'))
    .replace(/<(script|option|svg|style|datalist)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<div class="menu language-menu [\s\S]*?<\/div>/g, '')
    // Words that may break in the middle.
    .replaceAll('<wbr/>', '');
  return (body.match(/>[^<>]+</g) ?? [])
    .map((run) =>
      run
        .slice(1, -1)
        .replace(/<!-- -->|[\u2066-\u2069]/g, '')
        .trim(),
    )
    .filter((run) => run !== '');
}

const looksLikeKey = (text: string) =>
  /^[\w-]+([.:][\w-]+)+$/.test(text) && !/^(\d+:\d\d|evisa\.gov\.tr)$/.test(text);

/** Keys without a text and placeholders without a value, in texts and in accessible names. */
export function unfilled(html: string): string[] {
  const named = [...html.matchAll(/(?:aria-label|alt|title|placeholder)="([^"]+)"/g)].map(
    ([, text = '']) => text,
  );
  const broken = /\{\{|\}\}|undefined|\bNaN\b|\[object|Invalid Date/;
  return [...htmlTexts(html), ...named].filter((text) => looksLikeKey(text) || broken.test(text));
}

const NOTES =
  /legal counsel|Rechtsberatung|asesor jurídico|conseil juridique|hukuk danışman|مستشار قانوني/;

/** Placeholders to be filled in ("[Operator address]"), and notes to the operator. */
export const findPlaceholders = (texts: readonly string[]): string[] =>
  texts.filter((text) => /\[[\p{L} -]+\]/u.test(text) || NOTES.test(text));

/** Names and notations that are the same in every language. */
const INTERNATIONAL =
  /^(Sample Operator|Sample Insurer.*|1 Sample Street.*|support@operator\.example|complaints@insurer\.example|Lale|PayPal|Pamukkale|evisa\.gov\.tr|\[.*\]|©|[\d\s$.,:+–—·%-]*|[A-Z]{3}|TR[VIG]|Türkiye|50 × 60 mm|300 DPI|Visa|Mastercard|Amex|Discover|Troy|Diners|UnionPay)$/;

/** Words that a language shares with English. */
const shared: Readonly<Record<string, readonly string[]>> = {
  tr: ['Limit', 'Plan', 'Test'],
  fr: [
    'e-visa',
    'e-visa,',
    'E-visa',
    'E-mail',
    'Standard',
    'Express',
    'Urgent',
    'Photo',
    'Contact',
    'Total',
    'Destination',
    'Document',
    'Transaction',
    'Parents',
    'Cookies',
    'Communication',
    'Test',
  ],
  de: ['Standard', 'Express', 'Cookies', 'Gateway', 'Download', 'Name', 'Status', 'Test'],
  es: ['Total', 'Cookies', 'Error', 'Error:', 'Plan', 'No'],
};

/** Texts of a page that are the same in English, except names. */
export function findEnglishTexts(language: string, html: string, english: string): string[] {
  const twin = new Set(htmlTexts(english));
  const allowed = shared[language] ?? [];
  return htmlTexts(html).filter(
    (text) =>
      /\p{L}/u.test(text) &&
      twin.has(text) &&
      !INTERNATIONAL.test(text) &&
      !text.startsWith('©') &&
      !allowed.includes(text),
  );
}
