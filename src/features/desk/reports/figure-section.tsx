import type { ReactNode } from 'react';
import { formatDateShort, formatMoment, parseDate, UTC } from '~/base/dates/dates.ts';
import { formatMoney, type Money } from '~/base/money.ts';
import { ButtonAnchor } from '~/ui/button.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatCount, formatHours, formatShare } from '../frame/formats.ts';
import { Actions, DeskSection } from '../frame/panel.tsx';
import { periodQuery, type Period } from './period.tsx';

/** How figures are written; a dash where there is none. */
export function useFigures() {
  const { t, language } = useTranslation('figures');
  return {
    count: (count: number) => formatCount(count, language),
    share: (part: number, whole: number) => formatShare(part, whole, language) ?? '–',
    hours: (ms: number | null) =>
      ms === null ? '–' : t('hours', { hours: formatHours(ms, language) }),
    money: (amount: Money | null) =>
      amount === null ? (
        <span className="text-ink-2">{t('money.unknown')}</span>
      ) : (
        <bdi>{formatMoney(amount, language)}</bdi>
      ),
    moment: (at: Date) => formatMoment(at, language, UTC, 'dated'),
    day: (text: string) => {
      const date = parseDate(text);
      return date ? formatDateShort(date, language) : text;
    },
  };
}

export const Small = ({ children }: { children: ReactNode }) => (
  <span className="block text-tiny font-normal text-ink-2">{children}</span>
);

/** What a table counts, where its headings cannot say it. */
export const Note = ({ children }: { children: ReactNode }) => (
  <p className="max-w-[720px] text-fine text-pretty text-ink-2">{children}</p>
);

/** A section with its table as a file, where there is one. */
export function FigureSection({
  id,
  title,
  file,
  more,
  children,
}: {
  id: string;
  title: string;
  /** The period of the file. */
  file?: Period;
  more?: ReactNode;
  children: ReactNode;
}) {
  const { t } = useTranslation('figures');
  return (
    <DeskSection id={id} title={title}>
      {children}
      {file || more ? (
        <Actions>
          {file ? <FileLink name={id} period={file} text={t('file', { title })} /> : null}
          {more}
        </Actions>
      ) : null}
    </DeskSection>
  );
}

export const FileLink = ({
  name,
  period,
  text,
}: {
  name: string;
  period: Period;
  text: string;
}) => (
  <ButtonAnchor
    className="print:hidden"
    href={`/admin/figures/${name}/csv${periodQuery(period)}`}
    icon="download"
    look="secondary"
  >
    {text}
  </ButtonAnchor>
);
