import { storeStaffId } from '~/features/staff/testing/staff-id.server.ts';
import { decideSetting, sectionVersion } from '~/features/settings/decide.server.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';

/** An administrator's decision about plans, from `validFrom` on (null: from now on). */
export async function decidePlans(
  { db, now }: Pick<Platform, 'db' | 'now'>,
  values: Readonly<Record<string, unknown>>,
  validFrom: Date | null = null,
): Promise<void> {
  const kept = await decideSetting(
    db,
    {
      section: 'plan_prices',
      values,
      validFrom,
      reason: 'A test',
      staffId: await storeStaffId(db),
      alone: true,
      seen: sectionVersion(await readSettings(db), 'plan_prices'),
      now: now(),
    },
    () => true,
    async () => undefined,
  );
  if (!kept.ok) throw new Error(kept.error);
}
