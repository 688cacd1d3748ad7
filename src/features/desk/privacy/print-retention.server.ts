import type { DueApplication } from '~/features/application/retention/delete-expired-store.server.ts';
import { latestDeletions } from './deletion-record-store.server.ts';
import { assemblePlatform, type Platform } from '~/platform/platform.server.ts';
import { listDue } from './enforce-retention.server.ts';
import { dryRunRetention, type DryRun } from './retention-jobs.server.ts';

const DAY_MS = 24 * 3_600_000;
const MAX_RECORDS = 50;

type Service = Pick<Platform, 'config' | 'db' | 'pool' | 'now'>;

/** Prints what the deleting jobs would delete today and, with `ahead` above 0, in so many days. */
export async function printDue(service: Service, ahead: number): Promise<void> {
  const platform = assemblePlatform(service.config, service);
  try {
    const now = service.now();
    for (const at of ahead > 0 ? [now, new Date(now.getTime() + ahead * DAY_MS)] : [now]) {
      print(dryRunLines(await dryRunRetention(platform, at), at));
      print(dueLines(await listDue({ db: service.db, now: () => at })));
    }
  } finally {
    platform.mail.close();
    platform.files.close();
  }
}

/** Prints what they deleted, newest first. */
export async function printDeleted({ db }: Pick<Service, 'db'>): Promise<void> {
  for (const { at, cause, ...counts } of await latestDeletions(db, MAX_RECORDS)) {
    print(dryRunLines([{ job: cause, counts }], at));
  }
}

function print(lines: readonly string[]): void {
  for (const line of lines) console.log(line);
}

const listed = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([table, count]) => `${count} ${table}`)
    .join(', ');

/** What a dry run found, for people, a line for each job that would delete something. */
function dryRunLines(runs: readonly DryRun[], at: Date): string[] {
  const day = at.toISOString().slice(0, 10);
  if (runs.length === 0) return [`${day}: nothing would be deleted.`];
  return runs.map(({ job, counts: { deleted, changed, files } }) => {
    const parts = [
      `deletes ${listed(deleted) || 'no rows'}`,
      ...(Object.keys(changed).length > 0 ? [`empties ${listed(changed)}`] : []),
      ...(files > 0 ? [`removes ${files} files`] : []),
    ];
    return `${day}: ${job} ${parts.join('; ')}`;
  });
}

/** The applications whose period is over, a line for each. */
const dueLines = (due: readonly DueApplication[]): string[] =>
  due.map(
    ({ number, lastEvent, isHeld }) =>
      `  ${number}, last event ${lastEvent}${isHeld ? ': kept by a legal hold' : ''}`,
  );
