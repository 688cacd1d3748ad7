import type { Namespace } from '~/base/text-keys.ts';

/**
 * Texts reach the browser in parts, one file for each language. What is in no list is in `rest`: a page of the site
 * loads it together with `start`; only the wizard's first step, where most visitors first load scripts, begins with
 * `start` alone.
 */
const parts = {
  start: ['ui', 'site', 'catalog', 'form', 'visa'],
  staff: [
    'books',
    'decision',
    'desk',
    'case-file',
    'figures',
    'privacy',
    'for-you',
    'views',
    'pdfs',
    'refund',
    'settings',
    'setup',
    'staff',
    'templates',
  ],
  lab: ['lab'],
  /** Answers to calls, e-mails, documents, and pages without scripts. */
  server: [
    'api',
    'email',
    'cancellation',
    'certificate',
    'receipt',
    'paypal-simulator',
    'stripe-simulator',
    'test-mode',
  ],
} as const satisfies Readonly<Record<string, readonly Namespace[]>>;

export const textParts = ['start', 'rest', 'staff', 'lab'] as const;
export type TextPart = (typeof textParts)[number];

/** A key in every plural form that a language of ours may have. */
const plurals = (key: string) =>
  ['zero', 'one', 'two', 'few', 'many', 'other'].map((form) => `${key}_${form}`);

/** What the first step never shows: whole groups, and groups of which it shows these keys alone. The rest has them. */
const later: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  catalog: { conditions: [] },
  ui: { answers: [], emailChoice: [], timeline: [] },
  site: {
    busy: [],
    home: [],
    maintenance: [],
    // The hint is shown while developing alone.
    notFound: ['title', 'lead'],
    unreadable: [],
    descriptions: ['application'],
  },
  form: { errors: ['any'] },
  visa: {
    age: [],
    api: [],
    arrival: [],
    choice: [],
    details: [],
    elsewhere: [],
    errors: ['countryId', 'documentType', 'saveEmail'],
    extra: [],
    later: ['summary', 'email', 'send', ...plurals('text')],
    labels: ['countryId', 'documentType', 'arrivalDate'],
    payBy: [],
    party: ['who', 'me', 'group', 'groupHint', 'which', 'all', 'leaveOut', 'insure', 'checkStep'],
    prerequisites: [],
    reader: ['take', 'choose', 'fill', 'reading'],
    refused: ['required_fields'],
    resume: [],
    review: ['evisaFee'],
    speed: [],
    submitted: [],
    supporting_document: [],
    what_it_allows: [],
  },
};

/** What the first step shows of other namespaces: whole groups. */
const early: Readonly<Record<string, readonly string[]>> = { application: ['service'] };

/** The part that a text comes in, by its namespace and the two names its key begins with; null for what no browser needs. */
export function textPartByKey(namespace: string, group: string, key: string): TextPart | null {
  if (early[namespace]?.includes(group)) return 'start';
  const firstKeys = later[namespace]?.[group];
  if (firstKeys && !firstKeys.includes(key)) return 'rest';
  for (const part of ['start', 'staff', 'lab'] as const) {
    if (parts[part].some((one) => one === namespace)) return part;
  }
  return parts.server.some((one) => one === namespace) ? null : 'rest';
}
