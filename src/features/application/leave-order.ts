import { isFinal, type ApplicationStatus } from './status-machine.ts';
import { insuranceOf } from './travellers.ts';

type Member = {
  kind: 'visa' | 'insurance';
  number: string;
  travellerPosition: number;
  status: ApplicationStatus;
};

type Line = { applicationNumber: string; amountMinor: number };

/**
 * Which applications of an unpaid order go when one of them is rejected: itself, and with a visa the open insurance of the
 * same traveller, who has no visa to travel on. An insurance that is rejected leaves its visa alone.
 */
export function leavingWith<A extends Member>(together: readonly A[], rejected: A): A[] {
  const beside = rejected.kind === 'visa' ? insuranceOf(together, rejected) : null;
  return beside && !isFinal(beside.status) ? [rejected, beside] : [rejected];
}

/**
 * The lines that an unpaid order keeps when some of its applications leave it, each as it was quoted, and what they come
 * to in minor units; no lines and 0 when nobody is left.
 */
export function linesLeft<L extends Line>(
  lines: readonly L[],
  leaving: readonly { number: string }[],
): { lines: L[]; amountMinor: number } {
  const gone = new Set(leaving.map(({ number }) => number));
  const left = lines.filter(({ applicationNumber }) => !gone.has(applicationNumber));
  return { lines: left, amountMinor: left.reduce((sum, line) => sum + line.amountMinor, 0) };
}
