import type { Values } from '~/base/read-text.ts';
import type { CodeIn } from '~/base/text-keys.ts';

/** What is checked before money is taken, in the order in which it is put right. */
export const checkIds = [
  'mode',
  'keys',
  'tls',
  'proxy',
  'mail',
  'spf',
  'dkim',
  'dmarc',
  'files',
  'database',
  'accounts',
  'backups',
  'partners',
  'card',
  'paypal',
  'stripe',
  'heard',
  'insurance',
  'operator',
  'factors',
  'signOn',
  'clock',
] as const satisfies readonly CodeIn<'setup', 'check'>[];
export type CheckId = (typeof checkIds)[number];

/** `missing`: stands in the way. `unknown`: cannot be told from here. */
export type CheckState = 'ok' | 'missing' | 'unknown';

/** One thing that a check found. Never a secret: it is printed and shown. */
export type Finding = { code: CodeIn<'setup', 'found'>; values?: Values };

/** What mends it: a command, a variable of the configuration, a page of the desk, a record of the DNS, a document. */
export type Mend = { kind: CodeIn<'setup', 'mend'>; text: string };

export type Check = { id: CheckId; state: CheckState; found: readonly Finding[]; mend: Mend[] };

/** A check with one finding. What is in order needs no mending. */
export const checked = (
  id: CheckId,
  state: CheckState,
  found: Finding | readonly Finding[],
  ...mend: Mend[]
): Check => ({
  id,
  state,
  found: 'code' in found ? [found] : found,
  mend: state === 'ok' ? [] : mend,
});

/** One that cannot be made before something else is there. */
export const waiting = (id: CheckId, code: 'needsDatabase' | 'needsAddress'): Check =>
  checked(id, 'unknown', { code });

export const command = (text: string): Mend => ({ kind: 'command', text });
export const variable = (text: string): Mend => ({ kind: 'variable', text });
export const page = (text: string): Mend => ({ kind: 'page', text });
export const record = (text: string): Mend => ({ kind: 'record', text });
export const guide = (text: string): Mend => ({ kind: 'guide', text });

/** Mistakes of the configuration as the list shows them: that one is live mode's is said once, above. */
export const mistakesFound = (mistakes: readonly string[]): Finding[] =>
  mistakes.map((mistake) => ({
    code: 'mistake',
    values: { mistake: mistake.replace(/ \(MODE=live\)$/, '') },
  }));

/** Whether something stands between this configuration and taking money. */
export const hasObstacle = (checks: readonly Check[]): boolean =>
  checks.some(({ state }) => state === 'missing');

/** How many checks there are of each state. */
export function countsOf(checks: readonly Check[]): Record<CheckState, number> {
  const counts = { ok: 0, missing: 0, unknown: 0 };
  for (const { state } of checks) counts[state] += 1;
  return counts;
}

/** `2026-11-23 10:00 UTC`, the same in every language. */
export const minuteOf = (at: Date): string =>
  `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
