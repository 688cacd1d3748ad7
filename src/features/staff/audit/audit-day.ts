import type { Finding } from './audit-chain.ts';

/** An entry in its day's seal: its number, and a digest of its content without the number. */
export type Fingerprint = { id: number; print: string };

/** Most entries of a day that are named. */
const MOST_NAMED = 20;

/**
 * Compares a sealed day's entries with its fingerprints, in order of their numbers. An entry whose content is found
 * under another number was moved; otherwise it was changed, removed or inserted.
 */
export function compareDay(
  day: string,
  sealed: readonly Fingerprint[],
  found: readonly Fingerprint[],
): Finding[] {
  const was = new Map(sealed.map(({ id, print }) => [id, print]));
  const is = new Map(found.map(({ id, print }) => [id, print]));
  const known = new Set(was.values());
  // An entry found under a number that the seal does not know is reported there, not as removed.
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
