import type { ReactNode } from 'react';
import { formatDateShort } from '~/base/dates/dates.ts';
import { formatMoney, type Money } from '~/base/money.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { FiguresTable } from '../frame/figures-table.tsx';
import { formatCount } from '../frame/formats.ts';
import type { PartnerMoney } from './money.server.ts';

const Small = ({ children }: { children: ReactNode }) => (
  <span className="block text-tiny font-normal text-ink-2">{children}</span>
);

/** A row for each partner; what it does not tell is said to be not known. */
export function PartnerTable({ partners }: { partners: readonly PartnerMoney[] }) {
  const { t } = useTranslation('books');
  const language = useLanguage();
  const count = (figure: number) => formatCount(figure, language);
  const money = (amount: Money | null) =>
    amount === null ? (
      <span className="text-ink-2">{t('money.unknown')}</span>
    ) : (
      <bdi>{formatMoney(amount, language)}</bdi>
    );
  return (
    <FiguresTable
      caption={t('money.title')}
      head={[
        t('payments.provider'),
        t('money.captured'),
        t('money.refunded'),
        t('money.fees'),
        t('money.disputed'),
        t('money.net'),
        t('money.paidOut'),
      ]}
      rows={partners.map((one) => ({
        key: one.provider,
        name: (
          <>
            {t(`provider.${one.provider}`)}
            {one.isSimulated ? <Small>{t('money.simulated')}</Small> : null}
            <Small>
              {one.readUntil
                ? t('money.readUntil', { day: formatDateShort(one.readUntil, language) })
                : t('money.unread')}
            </Small>
          </>
        ),
        cells: [
          <>
            {money(one.captured)}
            <Small>{t('money.payments', { count: one.captures })}</Small>
          </>,
          <>
            {money(one.refunded)}
            <Small>{t('money.refunds', { count: one.refunds })}</Small>
          </>,
          <>
            {money(one.fees)}
            {one.fees && one.charged < one.captures ? (
              <Small>
                {t('money.feesOf', { part: count(one.charged), whole: count(one.captures) })}
              </Small>
            ) : null}
          </>,
          <>
            {money(one.disputed)}
            {one.taken && one.taken.minor !== 0 ? (
              <Small>{t('money.taken', { amount: formatMoney(one.taken, language) })}</Small>
            ) : null}
          </>,
          <>
            {money(one.net)}
            {one.isNetWhole ? null : <Small>{t('money.netPart')}</Small>}
          </>,
          <>
            {money(one.paidOut)}
            {one.foreign > 0 ? <Small>{t('money.foreign', { count: one.foreign })}</Small> : null}
          </>,
        ],
      }))}
    />
  );
}
