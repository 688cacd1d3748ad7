import { isFinal, type ApplicationStatus } from './status-machine.ts';
import { travellerInsurance } from './travellers.ts';

type Member = {
  kind: 'visa' | 'insurance';
  number: string;
  travellerPosition: number;
  status: ApplicationStatus;
};

type Line = { applicationNumber: string; amountMinor: number };

/**
 * Which applications of an unpaid order leave it when one of them is rejected: the application itself, and with a visa
 * the open insurance of the same traveller, which is of no use without the visa. Rejecting an insurance leaves the visa
 * in the order.
 */
export function applicationsLeaving<A extends Member>(together: readonly A[], rejected: A): A[] {
  const beside = rejected.kind === 'visa' ? travellerInsurance(together, rejected) : null;
  return beside && !isFinal(beside.status) ? [rejected, beside] : [rejected];
}

/**
 * The lines that stay when some applications leave an unpaid order, each at its quoted price, and their sum in minor
 * units; no lines and 0 when no application is left.
 */
export function linesLeft<L extends Line>(
  lines: readonly L[],
  leaving: readonly { number: string }[],
): { lines: L[]; amountMinor: number } {
  const gone = new Set(leaving.map(({ number }) => number));
  const left = lines.filter(({ applicationNumber }) => !gone.has(applicationNumber));
  return { lines: left, amountMinor: left.reduce((sum, line) => sum + line.amountMinor, 0) };
}
