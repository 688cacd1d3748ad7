import type { Finding } from './audit-chain.ts';

/** One entry as its day's seal knows it: its number, and a digest of what it says without the number. */
export type Fingerprint = { id: number; print: string };

/** Somebody who changes a whole day need not be read out row by row. */
const MOST_NAMED = 20;

/**
 * What became of a sealed day's entries, in the order of their numbers. An entry whose words stand under another number
 * now was moved; otherwise it was changed, removed or put in.
 */
export function compareDay(
  day: string,
  sealed: readonly Fingerprint[],
  found: readonly Fingerprint[],
): Finding[] {
  const was = new Map(sealed.map(({ id, print }) => [id, print]));
  const is = new Map(found.map(({ id, print }) => [id, print]));
  const known = new Set(was.values());
  // What was removed from its place but stands under a number that the seal does not know is told there.
  const elsewhere = new Set(found.filter(({ id }) => !was.has(id)).map(({ print }) => print));
  const findings: Finding[] = [];
  for (const { id, print } of found) {
    const before = was.get(id);
    if (before === print) continue;
    const kind = known.has(print) ? 'reordered' : before === undefined ? 'inserted' : 'changed';
    findings.push({ day, kind, entry: id });
  }
  for (const { id, print } of sealed) {
    if (is.has(id) || elsewhere.has(print)) continue;
    findings.push({ day, kind: 'removed', entry: id });
  }
  return findings.toSorted((a, b) => (a.entry ?? 0) - (b.entry ?? 0)).slice(0, MOST_NAMED);
}
