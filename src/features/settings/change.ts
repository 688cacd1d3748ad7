/** What administrators decide, each with its own values; `settings` keeps them all in one way. */
export const sections = [
  'visa_prices',
  'plan_prices',
  'insurance_terms',
  'countries',
  'operator',
  'certifications',
  'retention',
  'closed_days',
] as const;
export type Section = (typeof sections)[number];

/** One decision: these subjects have these values from that moment on. Null values take a subject away. */
export type Change = {
  id: number;
  section: Section;
  /** By subject: a price's item, a country's code, a field of the operator. Whose section it is reads them. */
  values: Readonly<Record<string, unknown>>;
  validFrom: Date;
  reason: string;
  /** Null for what the service brought along itself. */
  staffId: string | null;
  createdAt: Date;
  /** Taken back before it took effect. */
  withdrawn: { at: Date; staffId: string | null } | null;
};

/** All decisions, oldest first. */
export type Settings = {
  /** Of the newest decision or withdrawal; 0 before the first. */
  version: number;
  changes: readonly Change[];
};

export const noSettings: Settings = { version: 0, changes: [] };

/** Settings are read once and asked many times in each request. */
const sorted = new WeakMap<Settings, Map<Section, readonly Change[]>>();

/** In the order in which they count: of two for one moment the later decision wins. */
function standing(settings: Settings, section: Section): readonly Change[] {
  let known = sorted.get(settings);
  if (!known) sorted.set(settings, (known = new Map()));
  const found = known.get(section);
  if (found) return found;
  const made = settings.changes
    .filter((change) => change.section === section && change.withdrawn === null)
    .toSorted((a, b) => a.validFrom.getTime() - b.validFrom.getTime() || a.id - b.id);
  known.set(section, made);
  return made;
}

/** What each subject of a section is at a moment; a change counts from its very moment on. */
export function valuesAt(
  settings: Settings,
  section: Section,
  at: Date,
): Readonly<Record<string, unknown>> {
  const past = standing(settings, section).filter(({ validFrom }) => validFrom <= at);
  return Object.assign({}, ...past.map(({ values }) => values));
}

/** The decision that a section stands on at a moment, for sections whose decisions say everything; null before the first. */
export const changeAt = (settings: Settings, section: Section, at: Date): Change | null =>
  standing(settings, section).findLast(({ validFrom }) => validFrom <= at) ?? null;

/** When a section changes after `at`, soonest first. */
export const momentsAfter = (settings: Settings, section: Section, at: Date): Date[] =>
  standing(settings, section).flatMap(({ validFrom }) => (validFrom > at ? [validFrom] : []));

/** The same settings with one more decision, to look at what it would do before it is kept. */
export const withChange = (
  settings: Settings,
  change: Pick<Change, 'section' | 'values' | 'validFrom'>,
): Settings => ({
  ...settings,
  changes: [
    ...settings.changes,
    {
      ...change,
      id: Number.MAX_SAFE_INTEGER,
      reason: '',
      staffId: null,
      createdAt: change.validFrom,
      withdrawn: null,
    },
  ],
});

/** The same settings without a decision that is not in force yet. */
export const withoutChange = (settings: Settings, id: number): Settings => ({
  ...settings,
  changes: settings.changes.filter((change) => change.id !== id),
});

/** Differs whenever anything that is in force now differs. */
export function editionAt({ version, changes }: Settings, at: Date): string {
  const past = changes.filter(({ validFrom }) => validFrom <= at).length;
  return `${version}.${past}`;
}

/**
 * How long an answer made now stays right, in whole seconds, `most` at the longest: until the next decision takes
 * effect.
 */
export function freshSeconds({ changes }: Settings, at: Date, most: number): number {
  const next = changes
    .filter(({ validFrom, withdrawn }) => withdrawn === null && validFrom > at)
    .map(({ validFrom }) => Math.floor((validFrom.getTime() - at.getTime()) / 1000));
  return Math.min(most, ...next);
}

/** The decision that gives a subject its values at a moment; null where none does. */
export const inForce = (
  settings: Settings,
  section: Section,
  subject: string,
  at: Date,
): Change | null =>
  standing(settings, section).findLast(
    ({ values, validFrom }) => validFrom <= at && subject in values,
  ) ?? null;
