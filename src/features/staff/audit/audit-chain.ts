import type { PlainDate } from '~/base/dates/dates.ts';

/** An entry as sealed. */
export type SealedEntry = {
  id: number;
  at: Date;
  staffId: string | null;
  action: string;
  subjectKind: string;
  subjectId: string;
  detail: Record<string, string | number | boolean | null>;
};

/** The seal of one UTC day, in hexadecimal. */
type Seal = { day: string; entries: number; rows: string; seal: string };

/**
 * What is wrong. `changed`, `removed`, `inserted`, `reordered`: an entry of the day, by its number (none where the
 * seal's own list of them was changed). `broken`: the seal itself is forged or misplaced. `unsealed`: a day has no
 * seal.
 */
export type AuditFinding = {
  day: string;
  kind: 'changed' | 'removed' | 'inserted' | 'reordered' | 'broken' | 'unsealed';
  entry: number | null;
};

/** The seal before the first day. */
export const NO_SEAL = '0'.repeat(64);

/**
 * An entry's content as text, independent of the order in which a database keeps the keys of its detail. Without its
 * number, so that an entry under another number is recognised.
 */
export const contentText = (entry: SealedEntry): string =>
  JSON.stringify([
    entry.at.toISOString(),
    entry.staffId,
    entry.action,
    entry.subjectKind,
    entry.subjectId,
    Object.entries(entry.detail).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
  ]);

/** The text that a day's seal covers: the seal of the day before, the day, and the digest of its entries. */
export const sealText = (before: string, { day, entries, rows }: Omit<Seal, 'seal'>): string =>
  `lale audit 1\n${before}\n${day}\n${entries}\n${rows}\n`;

/**
 * What is wrong with the chain. `holds` tells whether a seal is of its text. Days must follow one another without a gap; the last
 * must be `until`, the day that must be sealed by now (null where none must).
 */
export function checkChain(
  seals: readonly Seal[],
  holds: (text: string, seal: string) => boolean,
  { next, until }: { next: (day: string) => string; until: PlainDate | null },
): AuditFinding[] {
  const findings: AuditFinding[] = [];
  let before: Seal | null = null;
  for (const seal of seals) {
    if (before) findings.push(...missing(next(before.day), seal.day, next));
    if (!holds(sealText(before?.seal ?? NO_SEAL, seal), seal.seal)) {
      findings.push({ day: seal.day, kind: 'broken', entry: null });
    }
    before = seal;
  }
  if (before && until) findings.push(...missing(next(before.day), next(until), next));
  return findings;
}

/** Every day from one to before another. */
function missing(from: string, to: string, next: (day: string) => string): AuditFinding[] {
  const days: AuditFinding[] = [];
  for (let day = from; day < to; day = next(day)) days.push({ day, kind: 'unsealed', entry: null });
  return days;
}
