/** The sections that administrators decide on, each with its own values. */
export const sections = [
  'visa_prices',
  'plan_prices',
  'insurance_terms',
  'countries',
  'operator',
  'certifications',
  'retention',
  'closed_days',
  'authority',
  'templates',
] as const;
export type SettingsSection = (typeof sections)[number];

/** What travellers pay is decided by two administrators: one proposes, another confirms. */
export const twoPeopleSections = [
  'visa_prices',
  'plan_prices',
] as const satisfies readonly SettingsSection[];

export const isTwoPeopleSection = (
  section: SettingsSection,
): section is (typeof twoPeopleSections)[number] =>
  twoPeopleSections.some((one) => one === section);

/** `waiting` until another administrator confirms or declines, or its author withdraws it. */
export const proposalStates = ['waiting', 'confirmed', 'declined', 'withdrawn'] as const;
export type ProposalState = (typeof proposalStates)[number];

/** One decision: these subjects have these values from `validFrom` on. A null value removes a subject. */
export type SettingsChange = {
  id: number;
  section: SettingsSection;
  /** By subject: a price's item, a country's code, a field of the operator. The section's feature parses them. */
  values: Readonly<Record<string, unknown>>;
  validFrom: Date;
  reason: string;
  /** Null for decisions that the service was seeded with. */
  staffId: string | null;
  /** The second administrator; null where none was needed. */
  confirmedBy: string | null;
  /** Decided by the only administrator there was. */
  alone: boolean;
  createdAt: Date;
  /** Withdrawn before it took effect. */
  withdrawn: { at: Date; staffId: string | null } | null;
};

/** All decisions, oldest first. */
export type Settings = {
  /** Id of the newest decision or withdrawal; 0 before the first. */
  version: number;
  changes: readonly SettingsChange[];
};

export const noSettings: Settings = { version: 0, changes: [] };

/** Cached: each request asks the same settings many times. */
const sorted = new WeakMap<Settings, Map<SettingsSection, readonly SettingsChange[]>>();

/** A section's valid decisions in order of effect: of two for one moment the later decision wins. */
function standing(settings: Settings, section: SettingsSection): readonly SettingsChange[] {
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

/** The value of each subject at a moment; a decision counts from its exact moment on. */
export function valuesInForce(
  settings: Settings,
  section: SettingsSection,
  at: Date,
): Readonly<Record<string, unknown>> {
  const past = standing(settings, section).filter(({ validFrom }) => validFrom <= at);
  return Object.assign({}, ...past.map(({ values }) => values));
}

/** The decision in force at a moment, for sections whose decisions contain all values; null before the first. */
export const changeInForce = (
  settings: Settings,
  section: SettingsSection,
  at: Date,
): SettingsChange | null =>
  standing(settings, section).findLast(({ validFrom }) => validFrom <= at) ?? null;

/** The moments after `at` at which a section changes, soonest first. */
export const upcomingChangeMoments = (
  settings: Settings,
  section: SettingsSection,
  at: Date,
): Date[] =>
  standing(settings, section).flatMap(({ validFrom }) => (validFrom > at ? [validFrom] : []));

/** The settings with one more decision, to check its effects before it is stored. */
export const withChange = (
  settings: Settings,
  change: Pick<SettingsChange, 'section' | 'values' | 'validFrom'>,
): Settings => ({
  ...settings,
  changes: [
    ...settings.changes,
    {
      ...change,
      id: Number.MAX_SAFE_INTEGER,
      reason: '',
      staffId: null,
      confirmedBy: null,
      alone: false,
      createdAt: change.validFrom,
      withdrawn: null,
    },
  ],
});

/** The settings without a decision that is not in force yet. */
export const withoutChange = (settings: Settings, id: number): Settings => ({
  ...settings,
  changes: settings.changes.filter((change) => change.id !== id),
});

/** A key that changes whenever a value in force changes. */
export function settingsEdition({ version, changes }: Settings, at: Date): string {
  const past = changes.filter(({ validFrom }) => validFrom <= at).length;
  return `${version}.${past}`;
}

/**
 * How long an answer made now may be cached, in whole seconds, at most `most`: until the next decision takes effect.
 */
export function freshSeconds({ changes }: Settings, at: Date, most: number): number {
  const next = changes
    .filter(({ validFrom, withdrawn }) => withdrawn === null && validFrom > at)
    .map(({ validFrom }) => Math.floor((validFrom.getTime() - at.getTime()) / 1000));
  return Math.min(most, ...next);
}

/** When a later decision replaced a subject's value of a decision, at `at` or before; null where none did. */
export function replacementInForce(
  settings: Settings,
  { section, id, validFrom }: Pick<SettingsChange, 'section' | 'id' | 'validFrom'>,
  subject: string,
  at: Date,
): Date | null {
  const next = standing(settings, section).find(
    (later) =>
      subject in later.values &&
      (later.validFrom > validFrom || (+later.validFrom === +validFrom && later.id > id)),
  );
  return next && next.validFrom <= at ? next.validFrom : null;
}
