import { classNames } from '../class-names.ts';

/**
 * A number that is shown in groups; copied or read by a program it has no spaces. Characters beyond `groups` follow as
 * a last group.
 */
export function NumberCode({
  value,
  groups = [3, 4, 4, 4, 1],
  size = 'inline',
  testId,
}: {
  value: string;
  groups?: readonly number[];
  size?: 'inline' | 'display';
  testId?: string;
}) {
  return (
    <span
      className={classNames('number-code', `number-code-${size}`)}
      data-testid={testId}
      dir="ltr"
    >
      {splitCode(value, groups).map((group, index) => (
        <span key={index}>{group}</span>
      ))}
    </span>
  );
}

/** `splitCode('TRV7K2M', [3, 4])` → `['TRV', '7K2M']`; what is left over is a last group. */
export function splitCode(value: string, groups: readonly number[]): string[] {
  const found: string[] = [];
  let from = 0;
  for (const length of [...groups, value.length]) {
    const group = value.slice(from, from + length);
    if (group !== '') found.push(group);
    from += length;
  }
  return found;
}
