import { classNames } from '../class-names.ts';

/** The groups of an application number, the last one its check character. */
const GROUPS = [3, 4, 4, 4, 1];

/** A number that is shown in groups; copied or read by a program it has no spaces. */
export function NumberCode({
  value,
  size = 'inline',
  testId,
}: {
  value: string;
  size?: 'inline' | 'display';
  testId?: string;
}) {
  return (
    <span
      className={classNames('number-code', `number-code-${size}`)}
      data-testid={testId}
      dir="ltr"
    >
      {splitCode(value, GROUPS).map((group, index) => (
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
