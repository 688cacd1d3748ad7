import { useTranslation } from 'react-i18next';
import { Form, Link } from 'react-router';
import { formatMoney } from '~/base/money.ts';
import { StatCards } from '~/ui/desk-frame.tsx';
import { filterQuery, shownLists, type Kind, type ShownList } from './list-filter.ts';
import { useDeskLanguage } from './queue-row-state.tsx';
import type { Statistics } from './statistics.server.ts';

/** The four figures of `statistics.server.ts`, which defines them. */
export function FigureCards({ figures }: { figures: Statistics }) {
  const { t } = useTranslation('desk');
  const language = useDeskLanguage();
  const count = (figure: number) => figure.toLocaleString('en-US');
  return (
    <StatCards
      cells={[
        {
          label: t('figures.totalApplications'),
          figure: count(figures.visa),
          note: t('figures.thisWeek', { count: figures.visaThisWeek }),
        },
        {
          label: t('figures.totalInsuranceApplications'),
          figure: count(figures.insurance),
          note: t('figures.thisWeek', { count: figures.insuranceThisWeek }),
        },
        {
          label: t('figures.totalRevenue'),
          figure: <bdi>{formatMoney(figures.revenue, language)}</bdi>,
          note: t('figures.thisMonth', { amount: formatMoney(figures.revenueThisMonth, language) }),
        },
        {
          label: t('figures.pendingApplications'),
          figure: count(figures.pending),
          note:
            figures.dueSoon > 0
              ? t('figures.dueSoon', { count: figures.dueSoon })
              : t('figures.waiting', { count: figures.waiting }),
          urgent: figures.dueSoon > 0,
        },
      ]}
    />
  );
}

/** Tabs for the kind, pills for which of them. Links: each list has its address. */
export function ListChoice({
  kind,
  show,
  counts,
}: {
  kind: Kind;
  show: ShownList;
  counts: Record<Kind, number>;
}) {
  const { t } = useTranslation('desk');
  return (
    <div className="list-choice">
      <nav aria-label={t('tab.label')} className="desk-tabs">
        {(['visa', 'insurance'] as const).map((name) => (
          <Link
            aria-current={name === kind ? 'page' : undefined}
            key={name}
            to={`/admin${filterQuery({ kind: name, show: 'all', page: 1 })}`}
          >
            {t(`tab.${name}`)}
            <span className="tab-count figures">{counts[name].toLocaleString('en-US')}</span>
          </Link>
        ))}
      </nav>
      <nav aria-label={t('show.label')} className="desk-pills">
        {shownLists.map((name) => (
          <Link
            aria-current={name === show ? 'page' : undefined}
            key={name}
            to={`/admin${filterQuery({ kind, show: name, page: 1 })}`}
          >
            {t(`show.${name}`)}
          </Link>
        ))}
      </nav>
      <p className="list-sorted">{t('sorted')}</p>
    </div>
  );
}

/** What was searched for, and the way back to everything. */
export function SearchNote({ search, query }: { search: string; query: string }) {
  const { t } = useTranslation('desk');
  if (search === '') return null;
  return (
    <Form action="/admin/search" className="search-note" method="post">
      <input name="query" type="hidden" value={query} />
      <input name="search" type="hidden" value="" />
      <p role="status">{t('search.result', { search })}</p>
      <button className="link-button">{t('search.clear')}</button>
    </Form>
  );
}

export function PageLinks({
  kind,
  show,
  page,
  total,
  pageSize,
}: {
  kind: Kind;
  show: ShownList;
  page: number;
  total: number;
  pageSize: number;
}) {
  const { t } = useTranslation('desk');
  if (total === 0) return null;
  const from = (page - 1) * pageSize + 1;
  const to = Math.min(page * pageSize, total);
  const link = (target: number) => `/admin${filterQuery({ kind, show, page: target })}`;
  return (
    <nav aria-label={t('queue.pages')} className="page-links">
      {page > 1 ? <Link to={link(page - 1)}>{t('queue.previous')}</Link> : null}
      <span className="figures">
        {t('queue.range', { from, to, total: total.toLocaleString('en-US') })}
      </span>
      {to < total ? <Link to={link(page + 1)}>{t('queue.next')}</Link> : null}
    </nav>
  );
}
