import type { TextValues } from '~/base/read-text.ts';
import type { CodeIn } from '~/base/text-keys.ts';

export type CheckId = CodeIn<'setup', 'check'>;

/** `missing`: stands in the way. `unknown`: cannot be told from here. */
export type CheckState = 'ok' | 'missing' | 'unknown';

/** One thing that a check found. Never a secret: it is printed and shown. */
export type CheckFinding = { code: CodeIn<'setup', 'found'>; values?: TextValues };

/** What mends it: a command, a variable of the configuration, a page of the desk, a record of the DNS, a document. */
export type CheckMend = { kind: CodeIn<'setup', 'mend'>; text: string };

/** What a check says. */
export type CheckReport = {
  state: CheckState;
  found: readonly CheckFinding[];
  mend: readonly CheckMend[];
};
export type CompletedCheck = CheckReport & { id: CheckId };

export const makeFinding = (code: CheckFinding['code'], values?: TextValues): CheckFinding => ({
  code,
  values,
});

const result =
  (state: CheckState) =>
  (
    findings: CheckFinding | readonly CheckFinding[],
    ...mend: readonly CheckMend[]
  ): CheckReport => ({
    state,
    found: 'code' in findings ? [findings] : findings,
    mend,
  });
export const missing = result('missing');
export const unknown = result('unknown');
/** What is in order needs no mending. */
export const passCheck = (findings: CheckFinding | readonly CheckFinding[]): CheckReport =>
  result('ok')(findings);

export const commandMend = (text: string): CheckMend => ({ kind: 'command', text });
export const variableMend = (text: string): CheckMend => ({ kind: 'variable', text });
export const pageMend = (text: string): CheckMend => ({ kind: 'page', text });
export const recordMend = (text: string): CheckMend => ({ kind: 'record', text });
export const guideMend = (text: string): CheckMend => ({ kind: 'guide', text });

/** Mistakes of the configuration as the list shows them: that one is live mode's is said once, above. */
export const mistakesFound = (mistakes: readonly string[]): CheckFinding[] =>
  mistakes.map((mistake) =>
    makeFinding('mistake', { mistake: mistake.replace(/ \(MODE=live\)$/, '') }),
  );

/** Whether something stands between this configuration and taking money. */
export const hasObstacle = (checks: readonly CompletedCheck[]): boolean =>
  checks.some(({ state }) => state === 'missing');

/** How many checks there are of each state. */
export function countCheckStates(checks: readonly CompletedCheck[]): Record<CheckState, number> {
  const counts = { ok: 0, missing: 0, unknown: 0 };
  for (const { state } of checks) counts[state] += 1;
  return counts;
}

/** `2026-11-23 10:00 UTC`, the same in every language. */
export const formatUtcMinute = (at: Date): string =>
  `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
