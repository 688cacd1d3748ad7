import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Database, Transaction } from '~/platform/postgres/database.server.ts';
import { momentsAfter, valuesAt, withChange, withoutChange } from './change.ts';
import type { Change, Section, Settings } from './change.ts';
import {
  invalidateSettings,
  lockSettings,
  insertChange,
  insertWithdrawal,
  readSettings,
} from './store.server.ts';

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
export function sectionVersion({ changes }: Settings, section: Section): string {
  const own = changes.filter((change) => change.section === section);
  const withdrawn = own.filter((change) => change.withdrawn !== null).length;
  return `${Math.max(0, ...own.map(({ id }) => id))}.${withdrawn}`;
}

/** Whether a section's values are consistent; asked for every moment at which they will change. */
export type Fits = (values: Readonly<Record<string, unknown>>) => boolean;

/** Whether a section is consistent from `at` on. */
const fitsFrom = (settings: Settings, section: Section, at: Date, fits: Fits): boolean =>
  [at, ...momentsAfter(settings, section, at)].every((moment) =>
    fits(valuesAt(settings, section, moment)),
  );

/** Runs in the transaction of a stored decision: writes the audit entry. */
export type Trace = (tx: Transaction, changeId: number) => Promise<void>;

/** Stores a decision, unless somebody else was first. `validFrom` null: from now on. */
export async function decide(
  db: Database,
  asked: {
    section: Section;
    values: Readonly<Record<string, unknown>>;
    validFrom: Date | null;
    reason: string;
    staffId: string;
    seen: string;
    now: Date;
  },
  fits: Fits,
  trace: Trace,
): Promise<Outcome<{ id: number; validFrom: Date }, DecideError>> {
  const { section, values, reason, staffId, seen, now } = asked;
  // A moment that passed while the page was being confirmed counts as now.
  const validFrom = asked.validFrom && asked.validFrom > now ? asked.validFrom : now;
  const outcome = await db.transaction(
    async (tx): Promise<Outcome<{ id: number; validFrom: Date }, DecideError>> => {
      await lockSettings(tx);
      const settings = await readSettings(tx);
      if (sectionVersion(settings, section) !== seen) return refused('settings_changed');
      const planned = withChange(settings, { section, values, validFrom });
      if (!fitsFrom(planned, section, validFrom, fits)) return refused('does_not_fit');
      const id = await insertChange(tx, {
        section,
        values,
        validFrom,
        reason,
        staffId,
        createdAt: now,
      });
      await trace(tx, id);
      return ok({ id, validFrom });
    },
  );
  invalidateSettings(db);
  return outcome;
}

/** Withdraws a decision that is not in force yet. */
export async function withdraw(
  db: Database,
  asked: { section: Section; id: number; staffId: string; now: Date },
  fits: Fits,
  trace: Trace,
): Promise<Outcome<Change, DecideError>> {
  const { section, id, staffId, now } = asked;
  const outcome = await db.transaction(async (tx): Promise<Outcome<Change, DecideError>> => {
    await lockSettings(tx);
    const settings = await readSettings(tx);
    const change = settings.changes.find((one) => one.id === id && one.section === section);
    if (!change || change.withdrawn) return refused('not_found');
    if (change.validFrom <= now) return refused('in_force');
    const planned = withoutChange(settings, id);
    if (!fitsFrom(planned, section, now, fits)) return refused('does_not_fit');
    await insertWithdrawal(tx, { id, section }, { staffId, at: now });
    await trace(tx, id);
    return ok(change);
  });
  invalidateSettings(db);
  return outcome;
}
