import type { ApplicationStatus } from '~/features/application/status-machine.ts';
import type { OpenCase } from '../case-file/open-case.server.ts';
import { signalNames, type DeskSignals, type SignalName } from '../navigation/signals.ts';

/** What is announced to screen readers; texts: `live:said.<kind>`. */
export type News =
  | { kind: 'taken'; name: string }
  | { kind: 'status'; status: ApplicationStatus }
  | { kind: 'emails' | 'refunds' | 'case' | 'group' }
  | { kind: 'signal'; of: SignalName; count: number };

/** The most important change of an application between two states; null for none. */
export function newsOfCase(before: OpenCase, now: OpenCase): News | null {
  if (before.mark === now.mark) return null;
  const [had, has] = [before.holder?.name ?? null, now.holder?.name ?? null];
  if (has !== null && has !== had) return { kind: 'taken', name: has };
  const { status } = now.application;
  if (status !== before.application.status) return { kind: 'status', status };
  const differs = (of: (one: OpenCase) => unknown) =>
    JSON.stringify(of(before)) !== JSON.stringify(of(now));
  if (differs(refundStates)) return { kind: 'refunds' };
  if (differs(emailStates)) return { kind: 'emails' };
  return has === had ? { kind: 'case' } : null;
}

const refundStates = ({ caseFile }: OpenCase) =>
  caseFile.refunds.map(({ id, state }) => [id, state]);
const emailStates = ({ caseFile }: OpenCase) => caseFile.emails.map(({ id, state }) => [id, state]);

/** The counts that have grown. */
export const newsOfSignals = (before: DeskSignals, now: DeskSignals): News[] =>
  signalNames.flatMap((of) =>
    now[of] > before[of] ? [{ kind: 'signal' as const, of, count: now[of] }] : [],
  );
