import type { Finding } from './audit-chain.ts';
import type { Verification } from './audit-seal.server.ts';

/** Most findings that are listed. */
const MOST_LINES = 20;

const words: Record<Finding['kind'], (entry: string) => string> = {
  changed: (entry) => `${entry} was changed after the day was sealed`,
  removed: (entry) => `${entry} was removed`,
  inserted: (entry) => `${entry} was put in after the day was sealed`,
  reordered: (entry) => `${entry} stands in another place`,
  broken: () => 'the seal is not ours, or does not follow from the day before it',
  unsealed: () => 'the day has no seal',
};

const lineOf = ({ day, kind, entry }: Finding): string =>
  `${day}: ${words[kind](entry === null ? 'an entry' : `entry ${entry}`)}`;

/** The output of the command that verifies the trail, oldest finding first. */
export function reportLines({ days, entries, findings, open }: Verification): string[] {
  const checked = `${days} sealed days with ${entries} entries checked; ${open} entries of days not sealed yet.`;
  const [first] = findings;
  if (!first) {
    return [checked, days === 0 ? 'No day is sealed yet.' : 'Nothing was changed.'];
  }
  const seals = findings.filter(({ kind }) => kind === 'broken').length;
  return [
    checked,
    `The trail does not hold, first at ${lineOf(first)}.`,
    ...findings.slice(1, MOST_LINES).map((finding) => `  ${lineOf(finding)}`),
    ...(findings.length > MOST_LINES ? [`  and ${findings.length - MOST_LINES} more`] : []),
    // A wrong key looks like a trail that was rewritten completely.
    ...(days > 1 && seals === days
      ? ['No seal holds: was the trail sealed with another LOOKUP_KEY?']
      : []),
  ];
}
