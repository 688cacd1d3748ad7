import { toPlainDate, formatDate, TURKIYE, formatDateShort } from '~/base/dates/dates.ts';
import { DeskPage } from '../frame/desk-page.tsx';
import { Actions, DeskSection } from '../frame/panel.tsx';
import { moneyByPartner, type PartnerMoney } from './ledger.server.ts';
import { Note } from './figures.tsx';
import { PeriodForm, periodQuery, readPeriod, spanOf } from './period.tsx';
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
      columns={[
        {
          head: t('money.captured'),
          render: ({ captured, captures }) => (
            <>
              {money(captured)}
              <Small>{t('money.payments', { count: captures })}</Small>
            </>
          ),
        },
        {
          head: t('money.refunded'),
          render: ({ refunded, refunds }) => (
            <>
              {money(refunded)}
              <Small>{t('money.refunds', { count: refunds })}</Small>
            </>
          ),
        },
        {
          head: t('money.fees'),
          render: ({ fees, charged, captures }) => (
            <>
              {money(fees)}
              {fees && charged < captures ? (
                <Small>{t('money.feesOf', { part: count(charged), whole: count(captures) })}</Small>
              ) : null}
            </>
          ),
        },
        {
          head: t('money.disputed'),
          render: ({ disputed, taken }) => (
            <>
              {money(disputed)}
              {taken && taken.minor !== 0 ? (
                <Small>{t('money.taken', { amount: formatMoney(taken, language) })}</Small>
              ) : null}
            </>
          ),
        },
        {
          head: t('money.net'),
          render: ({ net, isNetWhole }) => (
            <>
              {money(net)}
              {isNetWhole ? null : <Small>{t('money.netPart')}</Small>}
            </>
          ),
        },
        {
          head: t('money.paidOut'),
          render: ({ paidOut, foreign }) => (
            <>
              {money(paidOut)}
              {foreign > 0 ? <Small>{t('money.foreign', { count: foreign })}</Small> : null}
            </>
          ),
        },
      ]}
      name={t('payments.provider')}
      rows={partners.map((one) => ({
        ...one,
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
  const period = readPeriod(query, toPlainDate(platform.now(), TURKIYE));
  return {
    mayExport: may(staff.role, 'export_ledger'),
    period,
    partners: await moneyByPartner(platform, spanOf(period, TURKIYE)),
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
          <Note>{t('money.note')}</Note>
        </div>
      )}
      {mayExport ? (
        <DeskSection id="ledger" title={t('money.ledger.title')}>
          <p className="max-w-[720px] text-pretty text-ink-2">{t('money.ledger.text', days)}</p>
          <Actions>
            <ButtonAnchor
              href={`/admin/money/ledger/csv${periodQuery(period)}`}
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
