import { parseMoney, type Money } from '~/base/money.ts';

/** Characters read of one answer; longer texts are cut, so that patterns never run over megabytes. */
export const LONGEST_IN_CALL = 1000;

/** The answers of these names in the body of a call, as texts; other keys are ignored. */
export function answersInBody<Name extends string>(
  names: readonly Name[],
  body: Record<string, unknown>,
): Partial<Record<Name, string>> {
  const answers: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const given = body[name];
    if (typeof given === 'string' || typeof given === 'number') {
      // One more than the limit, so that the check reports the length.
      answers[name] = String(given).slice(0, LONGEST_IN_CALL + 1);
    }
  }
  return answers;
}

/** The total that a caller agrees to; null where the body names none, or no amount. */
export const totalInBody = ({ totalAmount }: Record<string, unknown>): Money | null =>
  typeof totalAmount === 'string' || typeof totalAmount === 'number'
    ? parseMoney(totalAmount)
    : null;
