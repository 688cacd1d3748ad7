import { useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from '~/ui/page/link.tsx';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { formatMoney, usd } from '~/base/money.ts';
import { DeskPage } from '../frame/desk-page.tsx';
import { EntriesTable, type EntryColumn } from '../frame/lists.tsx';
import { DeskSection } from '../frame/panel.tsx';
import {
  automaticRefunds,
  heldRefunds,
} from '~/features/order/refunds/order-refund-store.server.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import { staffNames } from '~/features/staff/store.server.ts';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { RefundTag } from './refund-panel.tsx';
import type { Route } from './+types/refunds.ts';

/** Longest list. */
const MAX_REFUNDS = 200;

/**
 * Refunds that wait for a release, oldest first, which happens on their order's page; and those that nobody asked for,
 * newest first.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { staff, platform, record } = await requireDesk({ request, context }, 'refund');
  const held = await heldRefunds(platform.db, MAX_REFUNDS);
  const automatic = await automaticRefunds(platform.db, MAX_REFUNDS);
  await record('refunds_listed', ['queue', 'refunds'], {
    count: held.length,
    automatic: automatic.length,
  });
  const people = held.flatMap(({ refund }) => refund.requestedBy ?? []);
  const names = await staffNames(platform.db, [...new Set(people)]);
  const toRow = ({ refund, payment, orderNumber }: (typeof held)[number]) => ({
    id: refund.id,
    orderNumber,
    amount: usd(payment.amountMinor),
    cause: refund.cause,
    state: payment.state,
    at: refund.requestedAt,
    by: refund.requestedBy === null ? null : (names.get(refund.requestedBy) ?? null),
    isOwn: refund.requestedBy === staff.id,
  });
  return { held: held.map(toRow), automatic: automatic.map(toRow) };
}

type Row = Awaited<ReturnType<typeof loader>>['held'][number];

export default function RefundsPage({ loaderData: { held, automatic } }: Route.ComponentProps) {
  const { t } = useTranslation('refund');
  return (
    <DeskPage>
      <title>{`${t('waiting.title')} – Lale`}</title>
      <h1>{t('waiting.title')}</h1>
      <p className="mt-1 text-ink-2">{t('waiting.lead')}</p>
      <RefundsTable
        empty={t('waiting.empty')}
        last={{
          head: t('waiting.by'),
          isLabelled: true,
          render: ({ by, isOwn }) => (
            <>
              <bdi>{by ?? '–'}</bdi>
              {isOwn ? ` ${t('waiting.own')}` : null}
            </>
          ),
        }}
        rows={held}
      />
      <DeskSection id="automatic" title={t('automatic.title')}>
        <p className="text-ink-2">{t('automatic.lead')}</p>
        <RefundsTable
          empty={t('automatic.empty')}
          last={{
            head: t('waiting.state'),
            render: ({ state }) => <RefundTag state={state} />,
          }}
          rows={automatic}
        />
      </DeskSection>
    </DeskPage>
  );
}

function RefundsTable({
  rows,
  last,
  empty,
}: {
  rows: readonly Row[];
  /** The column before the date. */
  last: EntryColumn<Row>;
  empty: string;
}) {
  const { t, language } = useTranslation('refund');
  if (rows.length === 0) return <p className="py-10 text-ink-2">{empty}</p>;
  return (
    <EntriesTable
      className="mt-3"
      columns={[
        {
          head: t('waiting.order'),
          render: ({ id, orderNumber }) => (
            <Link className="queue-link" to={`/admin/orders/${orderNumber}#refund-${id}`}>
              <NumberCode value={orderNumber} />
            </Link>
          ),
        },
        {
          head: t('waiting.amount'),
          className: 'whitespace-nowrap',
          isFigure: true,
          render: ({ amount }) => formatMoney(amount, language),
        },
        { head: t('waiting.cause'), render: ({ cause }) => t(`cause.${cause}`) },
        last,
        {
          head: t('waiting.since'),
          isLabelled: true,
          render: ({ at }) => formatMoment(at, language, UTC, 'short'),
        },
      ]}
      entries={rows}
      rowOf={({ id }) => ({ key: id, className: 'max-wide:grid-cols-2' })}
    />
  );
}
