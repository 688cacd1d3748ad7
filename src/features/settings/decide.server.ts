import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Database, Transaction } from '~/platform/postgres/database.server.ts';
import {
  upcomingChangeMoments,
  valuesInForce,
  withChange,
  withoutChange,
  type SettingsChange,
  type SettingsSection,
  type Settings,
} from './change.ts';
import { invalidateSettings, lockSettings, insertChange, readSettings } from './store.server.ts';
import { settingChange } from './tables.server.ts';

/**
 * Why a decision is not stored. `settings_changed`: somebody decided in this section since the page was rendered.
 * `in_force`: it has taken effect and can no longer be withdrawn. `does_not_fit`: the section's values would contradict
 * each other, now or at a later moment.
 */
export type DecideError = 'settings_changed' | 'not_found' | 'in_force' | 'does_not_fit';

/**
 * Id of the newest decision or withdrawal in a section; it stops two administrators who saw the same state from both
 * saving.
 */
export function sectionVersion({ changes }: Settings, section: SettingsSection): string {
  const own = changes.filter((change) => change.section === section);
  const withdrawn = own.filter((change) => change.withdrawn !== null).length;
  return `${Math.max(0, ...own.map(({ id }) => id))}.${withdrawn}`;
}

/** Whether a section's values are consistent; asked for every moment at which they will change. */
export type ConsistencyCheck = (values: Readonly<Record<string, unknown>>) => boolean;

/** Whether a section is consistent from `at` on. */
const fitsFrom = (
  settings: Settings,
  section: SettingsSection,
  at: Date,
  fits: ConsistencyCheck,
): boolean =>
  [at, ...upcomingChangeMoments(settings, section, at)].every((moment) =>
    fits(valuesInForce(settings, section, moment)),
  );

/** Runs in the transaction of a stored decision: writes the audit entry. */
export type AuditWriter = (tx: Transaction, changeId: number) => Promise<void>;

/** Whether a section would be consistent with this decision in it. */
export const isDecisionConsistent = (
  settings: Settings,
  decision: Pick<SettingsChange, 'section' | 'values' | 'validFrom'>,
  fits: ConsistencyCheck,
): boolean => fitsFrom(withChange(settings, decision), decision.section, decision.validFrom, fits);

/** A decision to store. `validFrom` null: from now on. */
type ToDecide = {
  section: SettingsSection;
  values: Readonly<Record<string, unknown>>;
  validFrom: Date | null;
  reason: string;
  staffId: string;
  now: Date;
  /** The second administrator, where the section needs one. */
  confirmedBy?: string;
  /** Without one, because there is none and the configuration allows it. */
  alone?: boolean;
};

type Decided = { id: number; validFrom: Date };

/** Stores a decision in a transaction that has locked the settings and read them. */
export async function storeDecision(
  tx: Transaction,
  settings: Settings,
  { now, ...decision }: ToDecide,
  fits: ConsistencyCheck,
): Promise<Outcome<Decided, DecideError>> {
  // A moment that passed while the page was being confirmed counts as now.
  const validFrom = decision.validFrom && decision.validFrom > now ? decision.validFrom : now;
  if (!isDecisionConsistent(settings, { ...decision, validFrom }, fits))
    return refused('does_not_fit');
  const id = await insertChange(tx, { ...decision, validFrom, createdAt: now });
  return ok({ id, validFrom });
}

/** Stores a decision, unless somebody else was first. */
export async function decideSetting(
  db: Database,
  { seen, ...decision }: ToDecide & { seen: string },
  fits: ConsistencyCheck,
  trace: AuditWriter,
): Promise<Outcome<Decided, DecideError>> {
  const outcome = await db.transaction(async (tx): Promise<Outcome<Decided, DecideError>> => {
    await lockSettings(tx);
    const settings = await readSettings(tx);
    if (sectionVersion(settings, decision.section) !== seen) return refused('settings_changed');
    const stored = await storeDecision(tx, settings, decision, fits);
    if (stored.ok) await trace(tx, stored.value.id);
    return stored;
  });
  invalidateSettings(db);
  return outcome;
}

/** Withdraws a decision that is not in force yet. */
export async function withdrawDecision(
  db: Database,
  asked: { section: SettingsSection; id: number; staffId: string; now: Date },
  fits: ConsistencyCheck,
  trace: AuditWriter,
): Promise<Outcome<SettingsChange, DecideError>> {
  const { section, id, staffId, now } = asked;
  const outcome = await db.transaction(
    async (tx): Promise<Outcome<SettingsChange, DecideError>> => {
      await lockSettings(tx);
      const settings = await readSettings(tx);
      const change = settings.changes.find((one) => one.id === id && one.section === section);
      if (!change || change.withdrawn) return refused('not_found');
      if (change.validFrom <= now) return refused('in_force');
      const planned = withoutChange(settings, id);
      if (!fitsFrom(planned, section, now, fits)) return refused('does_not_fit');
      const withdrawal = { section, values: {}, validFrom: now, reason: '', staffId };
      await tx.insert(settingChange).values({ ...withdrawal, createdAt: now, withdraws: id });
      await trace(tx, id);
      return ok(change);
    },
  );
  invalidateSettings(db);
  return outcome;
}
