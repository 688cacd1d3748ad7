import { usd } from '~/base/money.ts';
import type { NewLine, OrderLine } from './store.server.ts';

type Line = Pick<OrderLine, 'applicationNumber' | 'code' | 'detail' | 'amountMinor'>;

/** The lines of an order with those of some applications replaced; without new ones they are removed. */
export function replaceLines(
  before: readonly Line[],
  numbers: readonly string[],
  lines: readonly NewLine[] = [],
): NewLine[] {
  const isReplaced = ({ applicationNumber }: Line) => numbers.includes(applicationNumber);
  const at = before.findIndex(isReplaced);
  const kept = (some: readonly Line[]) =>
    some
      .filter((line) => !isReplaced(line))
      .map(({ applicationNumber, code, detail, amountMinor }): NewLine => ({
        applicationNumber,
        code,
        detail,
        amount: usd(amountMinor),
      }));
  return at === -1
    ? [...kept(before), ...lines]
    : [...kept(before.slice(0, at)), ...lines, ...kept(before.slice(at))];
}
