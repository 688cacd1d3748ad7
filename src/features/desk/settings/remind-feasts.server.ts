import { dateOf, UTC } from '~/base/dates/dates.ts';
import { feastsWithin } from '~/base/dates/holidays.ts';
import { wasStored } from '~/features/email/ledger/store.server.ts';
import {
  FEAST_NOTICE_DAYS,
  FEAST_NOTICE_JOB,
  feastOccasion,
} from '~/features/settings/feast-notice.ts';
import { activeAccounts } from '~/features/staff/account-store.server.ts';
import { rolesThatMay } from '~/features/staff/roles.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import type { Platform } from '~/platform/platform.server.ts';

/**
 * Has everybody who may close days told of a feast that begins within `FEAST_NOTICE_DAYS`, each once; who may so only
 * later is told then. For a recurring job: the emails are unique, however often and in however many processes it runs.
 */
export async function remindOfFeasts({ db, now }: Pick<Platform, 'db' | 'now'>): Promise<void> {
  const ahead = feastsWithin(dateOf(now(), UTC), FEAST_NOTICE_DAYS);
  if (ahead.length === 0) return;
  for (const { id: accountId } of await activeAccounts(db, rolesThatMay('close_days'))) {
    for (const one of ahead) {
      const notice = { ...one, accountId };
      const occasion = feastOccasion(notice);
      if (await wasStored(db, occasion)) continue;
      await enqueue(db, FEAST_NOTICE_JOB, notice, { key: `${occasion.kind}:${occasion.about}` });
    }
  }
}
