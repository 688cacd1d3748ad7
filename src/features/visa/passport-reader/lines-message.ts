import type { Translate } from '~/base/read-text.ts';
import type { ReadLines } from './read-lines.ts';

type Refusal = Extract<ReadLines, { ok: false }>;

/** Why lines were not read, and what to do. Where one check digit fails beside the composite one, it names its part. */
export function linesMessage(t: Translate, refusal: Refusal): string {
  if (refusal.error !== 'check_digit') return t(`visa:reader.errors.${refusal.error}`);
  const [part, ...others] = refusal.parts.filter((one) => one !== 'composite');
  return part && others.length === 0
    ? t('visa:reader.errors.check_digit_in', { field: t(`visa:labels.${part}`) })
    : t('visa:reader.errors.check_digit');
}
