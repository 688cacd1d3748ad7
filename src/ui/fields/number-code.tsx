import { classNames } from '../class-names.ts';
import { inGroups } from './in-groups.ts';

/**
 * A number in groups that are apart for the eye only: what is copied or read by a program has no spaces.
 * Characters beyond `groups` follow as a last group.
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
      {inGroups(value, groups).map((group, index) => (
        <span key={index}>{group}</span>
      ))}
    </span>
  );
}
