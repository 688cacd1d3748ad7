import type { TFunction } from 'i18next';
import type { Speed } from '~/features/visa/price-list.ts';

/** Figures of a range stay in their order inside Arabic: an isolated run from left to right. */
const range = (min: number, max: number): string => `\u2066${min}–${max}\u2069`;

/** "24–48 working hours, usually 5–7 days", for the speeds that are counted in working hours. */
export function speedWords(t: TFunction<'site'>, { working, typical }: Speed): string {
  const worked = t('home.time.working_hours', {
    count: working.max,
    range: range(working.min, working.max),
  });
  if (typical === null) return worked;
  const { min, max, unit } = typical;
  const usual =
    min === undefined
      ? t(`home.time.within_${unit}`, { count: max })
      : t(`home.time.usually_${unit}`, { count: max, range: range(min, max) });
  return t('home.time.both', { working: worked, typical: usual });
}
