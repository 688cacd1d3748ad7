import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from 'react-router';
import { Link } from '~/ui/page/link.tsx';
import { formatMoney } from '~/base/money.ts';
import { Button } from '~/ui/button.tsx';
import { Pill, Pills } from '../frame/panel.tsx';
import { StatCards } from '../frame/desk-frame.tsx';
import {
  filterQuery,
  MOST_COUNTED,
  shownLists,
  wholeList,
  type Kind,
  type Place,
  type ShownFilter,
} from './list-filter.ts';
import type { Queue } from './queue.server.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { formatCount, SOON_HOURS } from '../frame/formats.ts';
import type { Statistics } from './statistics.server.ts';

/** The four figures defined in `statistics.server.ts`. */
export function FigureCards({ figures }: { figures: Statistics }) {
  const { t } = useTranslation('desk');
  const language = useLanguage();
  const count = (figure: number) => formatCount(figure, 'en');
  const due = useDueText()(
    figures.late.visa + figures.late.insurance,
    figures.dueSoon.visa + figures.dueSoon.insurance,
  );
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
          note: due ?? t('figures.waiting', { count: figures.waiting }),
          urgent: due !== null,
        },
      ]}
    />
  );
}

/** "10 late, 3 due within 2 hours"; null where nothing is. */
function useDueText() {
  const { t } = useTranslation('desk');
  return (late: number, soon: number): string | null => {
    const texts = [
      ...(late > 0 ? [t('figures.late', { count: late })] : []),
      ...(soon > 0 ? [t('figures.dueSoon', { count: soon, hours: SOON_HOURS })] : []),
    ];
    return texts.length === 0 ? null : texts.join(t('figures.and'));
  };
}

/** Tabs for the kind, and links for the status: each list has an address. */
export function ListChoice({
  list,
  figures,
}: {
  list: ShownFilter;
  figures: Pick<Statistics, Kind | 'late' | 'dueSoon'>;
}) {
  const { t } = useTranslation('desk');
  const dueText = useDueText();
  const to = (other: Partial<ShownFilter>) =>
    `/admin${filterQuery({ ...list, place: null, ...other })}`;
  return (
    <div className="mt-6 flex flex-wrap items-end gap-x-6 border-b border-line-2 max-wide:gap-1.5 max-wide:pb-1.5">
      <nav aria-label={t('tab.label')} className="flex gap-5 max-wide:basis-full">
        {(['visa', 'insurance'] as const).map((name) => (
          <Link
            aria-current={name === list.kind ? 'page' : undefined}
            className="-mb-px flex min-h-11 items-center gap-2 border-b-2 border-transparent px-1 text-ink-2 no-underline current:border-ink current:font-semibold current:text-ink"
            key={name}
            to={`/admin${filterQuery(wholeList(name, list.sealedSearch))}`}
          >
            {t(`tab.${name}`)}
            <span className="figures rounded-full bg-turquoise-pale px-[7px] text-tiny font-semibold text-ink">
              {formatCount(figures[name], 'en')}
            </span>
            <DueBadge
              count={figures.late[name] + figures.dueSoon[name]}
              text={dueText(figures.late[name], figures.dueSoon[name])}
            />
          </Link>
        ))}
      </nav>
      <Pills className="max-wide:contents" label={t('show.label')}>
        {shownLists.map((name) => (
          <Pill
            aria-current={name === list.show ? 'page' : undefined}
            key={name}
            to={to({ show: name })}
          >
            {t(`show.${name}`)}
          </Pill>
        ))}
      </Pills>
    </div>
  );
}

/** Opens the next free application of the list. `selected`: the number of the open one, which is left out. */
export function TakeNext({ list, selected }: { list: ShownFilter; selected: string | undefined }) {
  const { t } = useTranslation('desk');
  return (
    <Form action="/admin/next" method="post">
      <input name="list" type="hidden" value={filterQuery({ ...list, place: null })} />
      <input name="not" type="hidden" value={selected ?? ''} />
      <Button id="next" look="secondary" small>
        {t('takeNext')}
      </Button>
    </Form>
  );
}

/** How many of a tab are late or due soon. */
function DueBadge({ count, text }: { count: number; text: string | null }) {
  if (text === null) return null;
  return (
    <span
      className="figures min-w-5 rounded-full bg-red px-1.5 text-center text-tiny/5 font-semibold text-paper"
      data-testid="due-badge"
      title={text}
    >
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="sr-only">{text}</span>
    </span>
  );
}

/** Why there is no next application in the list. `why`: as its address says it. */
export function NoNext({ list, why }: { list: ShownFilter; why: string }) {
  const { t } = useTranslation('desk');
  const isRound = why === 'round';
  return (
    <div className="grid justify-items-start gap-2 py-6 text-ink-2" role="status">
      <p>{t(isRound ? 'queue.roundOver' : 'queue.nothingLeft')}</p>
      {isRound ? (
        <Form action="/admin/next" method="post">
          <input name="list" type="hidden" value={filterQuery({ ...list, place: null })} />
          <button className="link-button" name="again">
            {t('queue.startAgain')}
          </button>
        </Form>
      ) : null}
    </div>
  );
}

/** Links to the neighbouring pages, and the list's size. */
export function PageLinks({
  list,
  queue,
}: {
  list: ShownFilter;
  queue: Pick<Queue, 'rows' | 'total' | 'hasBefore' | 'hasAfter'>;
}) {
  const { t } = useTranslation('desk');
  const { rows, total, hasBefore, hasAfter } = queue;
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return null;
  const link = (place: Place) => `/admin${filterQuery({ ...list, place })}`;
  return (
    <nav
      aria-label={t('queue.pages')}
      className="ms-auto flex min-h-9 items-center gap-4 max-wide:min-h-11"
    >
      {hasBefore ? <Link to={link({ before: first.id })}>{t('queue.previous')}</Link> : null}
      <span className="figures">
        {total > MOST_COUNTED
          ? t('queue.moreThan', {
              count: MOST_COUNTED,
              total: formatCount(MOST_COUNTED, 'en'),
            })
          : t('queue.total_rows', { count: total, total: formatCount(total, 'en') })}
      </span>
      {hasAfter ? <Link to={link({ after: last.id })}>{t('queue.next')}</Link> : null}
    </nav>
  );
}
