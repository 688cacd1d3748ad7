import type { DueApplication } from '~/features/application/retention/delete-expired-store.server.ts';
import type { DryRun } from './retention-jobs.server.ts';

const listed = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([table, count]) => `${count} ${table}`)
    .join(', ');

/** What a dry run found, for people, a line for each job that would delete something. */
export function dryRunLines(runs: readonly DryRun[], at: Date): string[] {
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
export const dueLines = (due: readonly DueApplication[]): string[] =>
  due.map(
    ({ number, lastEvent, isHeld }) =>
      `  ${number}, last event ${lastEvent}${isHeld ? ': kept by a legal hold' : ''}`,
  );
