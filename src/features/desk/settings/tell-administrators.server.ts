import type { Language } from '~/base/languages.ts';
import { CHANGE_NOTICE_JOB, type ChangeNotice } from '~/features/settings/change-notice.ts';
import { activeAdministrators } from '~/features/staff/account-store.server.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';

/**
 * Tells every administrator by email, also the author, that prices are to change or will: whoever gave themselves a
 * second account cannot do it unseen. In the transaction of what it tells of.
 */
export async function tellAdministrators(
  tx: Transaction,
  notice: Omit<ChangeNotice, 'accountId' | 'language'> & { language: Language },
): Promise<void> {
  for (const { id } of await activeAdministrators(tx)) {
    await enqueue(tx, CHANGE_NOTICE_JOB, { ...notice, accountId: id } satisfies ChangeNotice);
  }
}
