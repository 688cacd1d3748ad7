import { dateOf, formatDate, TURKIYE, formatDateShort } from '~/base/dates/dates.ts';
import { PeriodForm, periodDays, readDayPeriod, spanOfDays } from '../frame/days.tsx';
import { DeskPage } from '../frame/desk-page.tsx';
import { Actions, DeskSection } from '../frame/panel.tsx';
import { moneyByPartner, type PartnerMoney } from './money.server.ts';
import { formatCount } from '../frame/formats.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { may } from '~/features/staff/roles.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import { ButtonAnchor } from '~/ui/button.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { Route } from './+types/money.ts';
import type { ReactNode } from 'react';
import { formatMoney, type Money } from '~/base/money.ts';
import { FiguresTable } from '../frame/lists.tsx';

const Small = ({ children }: { children: ReactNode }) => (
  <span className="block text-tiny font-normal text-ink-2">{children}</span>
);

/** A row for each partner; what it does not tell is said to be not known. */
function PartnerTable({ partners }: { partners: readonly PartnerMoney[] }) {
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

/**
 * Money by partner, and the ledger as a file, by days in Türkiye as bookkeeping has them. Sums only: no personal data,
 * so views are not recorded; downloads are.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const staff = await requireStaff({ request, context }, 'view_payments');
  const platform = context.get(platformContext);
  const query = new URL(request.url).searchParams;
  const period = readDayPeriod(query, dateOf(platform.now(), TURKIYE));
  return {
    mayExport: may(staff.role, 'export_ledger'),
    period,
    partners: await moneyByPartner(platform, spanOfDays(period, TURKIYE)),
  };
}

export default function MoneyPage({
  loaderData: { mayExport, period, partners },
}: Route.ComponentProps) {
  const { t } = useTranslation('books');
  const language = useLanguage();
  const days = {
    first: formatDate(period.first, language),
    last: formatDate(period.last, language),
  };
  return (
    <DeskPage>
      <title>{`${t('money.title')} – Lale`}</title>
      <h1>{t('money.title')}</h1>
      <p className="mt-1 mb-4 text-ink-2">{t('money.lead', days)}</p>
      <PeriodForm action="/admin/money" from={t('money.from')} period={period} to={t('money.to')} />
      {partners.length === 0 ? (
        <p className="py-10 text-ink-2">{t('money.empty')}</p>
      ) : (
        <div className="mt-4 grid gap-3">
          <PartnerTable partners={partners} />
          <p className="max-w-[720px] text-fine text-pretty text-ink-2">{t('money.note')}</p>
        </div>
      )}
      {mayExport ? (
        <DeskSection id="ledger" title={t('money.ledger.title')}>
          <p className="max-w-[720px] text-pretty text-ink-2">{t('money.ledger.text', days)}</p>
          <Actions>
            <ButtonAnchor
              href={`/admin/money/ledger/csv${periodDays(period)}`}
              icon="download"
              look="secondary"
            >
              {t('money.ledger.button')}
            </ButtonAnchor>
          </Actions>
        </DeskSection>
      ) : null}
    </DeskPage>
  );
}
