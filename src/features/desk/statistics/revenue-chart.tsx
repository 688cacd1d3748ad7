import { useTranslation } from '~/ui/texts/texts.tsx';
import { add, formatMoney, usd, type Money } from '~/base/money.ts';
import { ChartKey } from '~/ui/chart/chart-frame.tsx';
import { ColumnsChart } from '~/ui/chart/columns-chart.tsx';
import type { ColumnsPlan } from '~/ui/chart/plan-columns.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { ChartCard } from './chart-card.tsx';
import type { Revenue } from './statistics.server.ts';
import { formatDollars } from '../frame/formats.ts';
import type { Period } from './period.ts';
import { stepMark, stepName } from './step-name.ts';

const netOf = ({ paid, refunded }: Revenue): Money => usd(paid.minor - refunded.minor);

/** Payments of each step less refunds, with the refunds on top. */
export function RevenueChart({
  period,
  revenue,
  plan,
}: {
  period: Period;
  revenue: readonly Revenue[];
  plan: ColumnsPlan;
}) {
  const { t } = useTranslation('statistics');
  const language = useLanguage();
  const money = (amount: Money) => formatMoney(amount, language);
  const name = (step: number) => stepName(period, step, language);
  const paid = add(...revenue.map((one) => one.paid));
  const refunded = add(...revenue.map((one) => one.refunded));
  const summary = t('revenue.summary', {
    net: money(netOf({ paid, refunded })),
    paid: money(paid),
    refunded: money(refunded),
  });
  const cellsOf = (one: Revenue) => [money(one.paid), money(one.refunded), money(netOf(one))];
  return (
    <ChartCard
      name="revenue"
      period={period}
      summary={paid.minor === 0 ? null : summary}
      table={{
        head: [t(`head.${period.step}`), t('head.paid'), t('head.refunded'), t('head.net')],
        rows: revenue.map((one, step) => [name(step), ...cellsOf(one)]),
      }}
    >
      <ChartKey names={[t('head.net'), t('head.refunded')]} shape="area" />
      <ColumnsChart
        columnTitle={(step) => {
          const one = revenue[step];
          return one
            ? `${name(step)} · ${t('head.net')} ${money(netOf(one))} · ${t('head.refunded')} ${money(one.refunded)}`
            : '';
        }}
        label={t('revenue.title')}
        labelText={(step) => stepMark(period, step, language)}
        plan={plan}
        tickText={(dollars) => formatDollars(dollars, language)}
      />
    </ChartCard>
  );
}
