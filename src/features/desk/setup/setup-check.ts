import type { Values } from '~/base/read-text.ts';
import type { CodeIn } from '~/base/text-keys.ts';

export type CheckId = CodeIn<'setup', 'check'>;

/** `missing`: stands in the way. `unknown`: cannot be told from here. */
export type CheckState = 'ok' | 'missing' | 'unknown';

/** One thing that a check found. Never a secret: it is printed and shown. */
export type Finding = { code: CodeIn<'setup', 'found'>; values?: Values };

/** What mends it: a command, a variable of the configuration, a page of the desk, a record of the DNS, a document. */
export type Mend = { kind: CodeIn<'setup', 'mend'>; text: string };

/** What a check says. */
export type Result = { state: CheckState; found: readonly Finding[]; mend: readonly Mend[] };
export type Check = Result & { id: CheckId };

export const found = (code: Finding['code'], values?: Values): Finding => ({ code, values });

const result =
  (state: CheckState) =>
  (findings: Finding | readonly Finding[], ...mend: readonly Mend[]): Result => ({
    state,
    found: 'code' in findings ? [findings] : findings,
    mend,
  });
export const missing = result('missing');
export const unknown = result('unknown');
/** What is in order needs no mending. */
export const ok = (findings: Finding | readonly Finding[]): Result => result('ok')(findings);

export const command = (text: string): Mend => ({ kind: 'command', text });
export const variable = (text: string): Mend => ({ kind: 'variable', text });
export const page = (text: string): Mend => ({ kind: 'page', text });
export const record = (text: string): Mend => ({ kind: 'record', text });
export const guide = (text: string): Mend => ({ kind: 'guide', text });

/** Mistakes of the configuration as the list shows them: that one is live mode's is said once, above. */
export const mistakesFound = (mistakes: readonly string[]): Finding[] =>
  mistakes.map((mistake) => found('mistake', { mistake: mistake.replace(/ \(MODE=live\)$/, '') }));

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
