import type { ReactNode } from 'react';
import { formatMoney } from '~/base/money.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { formatCount, formatDollars, formatHours, formatShare } from '../frame/formats.ts';
import type { Figure } from './charts.ts';

/** How figures are written in tables, sentences and on axes; a dash where there is none. */
export function useFigures() {
  const { t } = useTranslation('statistics');
  const language = useLanguage();
  const hoursText = (text: string) => t('hours', { hours: text });
  const textOf = (figure: Figure | undefined): string => {
    if (!figure) return '–';
    if ('count' in figure) return formatCount(figure.count, language);
    if ('money' in figure) return formatMoney(figure.money, language);
    if ('part' in figure) return formatShare(figure.part, figure.whole, language) ?? '–';
    return figure.ms === null ? '–' : hoursText(formatHours(figure.ms, language));
  };
  return {
    textOf,
    /** A value on an axis of such figures: things, dollars, hours or percent. */
    tickText(value: number, like: Figure = { count: 0 }): string {
      if ('money' in like) return formatDollars(value, language);
      if ('part' in like) return formatShare(value, 100, language) ?? '';
      return 'ms' in like ? hoursText(formatCount(value, language)) : formatCount(value, language);
    },
    count: (count: number) => textOf({ count }),
    hours: (ms: number | null) => textOf({ ms }),
    share: (part: number, whole: number) => textOf({ part, whole }),
  };
}

/** What a table of figures counts, below it. */
export const Note = ({ children }: { children: ReactNode }) => (
  <p className="max-w-[720px] text-fine text-pretty text-ink-2">{children}</p>
);
