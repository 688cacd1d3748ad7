import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from 'react-router';
import { Link } from '~/ui/page/link.tsx';
import { formatMoney } from '~/base/money.ts';
import { Button } from '~/ui/button.tsx';
import { Pill, Pills, Actions } from '../frame/panel.tsx';
import {
  filterQuery,
  MAX_LIST_COUNT,
  moreLists,
  wholeList,
  workListNames,
  type QueueKind,
  type ListPlace,
  type ShownFilter,
  everything,
  countNarrowing,
  payments,
  SEARCH,
  sortings,
  type Narrowing,
} from './list-filter.ts';
import type { ListCounts, Queue } from './queue.server.ts';
import { formatCount, SOON_HOURS } from '../frame/formats.ts';
import type { QueueCounts } from '../reports/totals.server.ts';
import type { ReactElement, ReactNode } from 'react';
import { applicationStatuses } from '~/features/application/status-machine.ts';
import { SelectFrame } from '~/ui/fields/select-field.tsx';
import { DayFilter, useTypedDay } from '../frame/days.tsx';
import {
  selectOption,
  optionMarkup,
  optionsMarkup,
  type MarkupOption,
} from '~/ui/fields/option-markup.ts';
import type { ElsewhereMatches } from './open-search.server.ts';

/** The four figures defined in `totals.server.ts`. */
export function FigureLine({ figures }: { figures: QueueCounts }) {
  const { t, language } = useTranslation('desk');
  const count = (figure: number) => formatCount(figure, 'en');
  const due = useDueText()(
    figures.late.visa + figures.late.insurance,
    figures.dueSoon.visa + figures.dueSoon.insurance,
  );
  return (
    <StatLine
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

/** Tabs for the kind, then the lists of work with their counts, and more: each list has an address. */
export function ListChoice({
  list,
  figures,
  counts,
}: {
  list: ShownFilter;
  figures: Pick<QueueCounts, QueueKind | 'late' | 'dueSoon'>;
  counts: ListCounts;
}) {
  const { t } = useTranslation('desk');
  const dueText = useDueText();
  const to = (other: Partial<ShownFilter>) =>
    `/admin${filterQuery({ ...list, place: null, ...other })}`;
  return (
    <div className="mt-3 flex flex-wrap items-end gap-x-6 border-b border-line-2 max-wide:gap-1.5 max-wide:pb-1.5">
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
      <Pills className="items-center max-wide:contents" label={t('show.label')}>
        {workListNames(list.kind).map((name) => (
          <Pill
            aria-current={name === list.show ? 'page' : undefined}
            key={name}
            to={to({ show: name })}
          >
            {t(list.kind === 'insurance' ? 'show.decide' : `show.${name}`)}
            <ListCount count={counts[list.kind][name]} />
            {name === 'at_authority' && counts.toChase > 0 ? (
              <span className="ms-1.5">· {t('show.toChase', { count: counts.toChase })}</span>
            ) : null}
          </Pill>
        ))}
        <Pill aria-current={list.show === 'all' ? 'page' : undefined} to={to({ show: 'all' })}>
          {t('show.all')}
        </Pill>
        <details
          className="desk-more"
          key={list.show}
          open={moreLists.some((name) => name === list.show) || undefined}
        >
          <summary>{t('show.more')}</summary>
          <div className="flex flex-wrap gap-1.5 pb-1.5">
            {moreLists.map((name) => (
              <Pill
                aria-current={name === list.show ? 'page' : undefined}
                key={name}
                to={to({ show: name })}
              >
                {t(`show.${name}`)}
                <ListCount count={counts[list.kind][name]} />
              </Pill>
            ))}
          </div>
        </details>
      </Pills>
    </div>
  );
}

/** Beside the name of a list; nothing where it is not counted. */
function ListCount({ count }: { count: number | undefined }) {
  return count === undefined ? null : (
    <span className="figures ms-1.5 font-semibold">{formatCount(count, 'en')}</span>
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
  const link = (place: ListPlace) => `/admin${filterQuery({ ...list, place })}`;
  return (
    <nav
      aria-label={t('queue.pages')}
      className="ms-auto flex min-h-9 items-center gap-4 max-wide:min-h-11"
    >
      {hasBefore ? <Link to={link({ before: first.id })}>{t('queue.previous')}</Link> : null}
      <span className="figures">
        {total > MAX_LIST_COUNT
          ? t('queue.moreThan', {
              count: MAX_LIST_COUNT,
              total: formatCount(MAX_LIST_COUNT, 'en'),
            })
          : t('queue.total_rows', { count: total, total: formatCount(total, 'en') })}
      </span>
      {hasAfter ? <Link to={link({ after: last.id })}>{t('queue.next')}</Link> : null}
    </nav>
  );
}

type FilterOptions = {
  /** By three letters, in the reader's language. */
  nationalities: readonly MarkupOption[];
  /** Processing types, or plans. */
  services: readonly { id: string; name: string }[];
};

/** A list's filters and sort order, as a GET form, so that a list can be bookmarked and shared. */
export function QueueFilters({
  list,
  options,
  isView,
}: {
  list: ShownFilter;
  options: FilterOptions;
  /** Whether the list is a view, whose name says what it shows. */
  isView: boolean;
}) {
  const { t } = useTranslation('desk');
  const { kind, show, sort, narrowing } = list;
  const count = countNarrowing(narrowing);
  const days = [useTypedDay('from', narrowing.from), useTypedDay('to', narrowing.to)];
  const isOpen = (count > 0 && !isView) || days.some(({ error }) => error !== undefined);
  const option = (id: string, name: string) => (
    <option key={id} value={id}>
      {name}
    </option>
  );
  const choices: [keyof Narrowing, readonly ReactElement[] | null][] = [
    ['status', applicationStatuses.map((value) => option(value, t(`status.${value}`)))],
    ['payment', payments.map((value) => option(value, t(`filter.${value}`)))],
    ['nationality', null],
    ['service', options.services.map(({ id, name }) => option(id, name))],
  ];
  return (
    <details className="desk-more open:basis-full" data-testid="filters" open={isOpen || undefined}>
      <summary>{count > 0 ? t('filter.active', { count }) : t('filter.title')}</summary>
      {/* The key remounts the form for another list, so that it shows the values in the address. */}
      <Form
        action="/admin"
        className="grid grid-cols-[repeat(auto-fill,minmax(min(10.5rem,100%),1fr))] items-end gap-3 border-b @min-[37.5rem]/desk-main:[&>:last-child]:col-span-2 border-line pt-2 pb-4 [&_.control]:m-0 [&_.control]:w-full [&_.field]:gap-1 [&_.select_.icon]:top-0 [&_label]:grid [&_label]:gap-1 [&_label]:text-fine/5 [&_label]:font-normal [&_label]:text-ink-2"
        key={filterQuery({ ...list, place: null })}
        method="get"
      >
        {kind === 'visa' ? null : <input name="tab" type="hidden" value={kind} />}
        {show === 'all' ? null : <input name="show" type="hidden" value={show} />}
        {list.sealedSearch === '' ? null : (
          <input name={SEARCH} type="hidden" value={list.sealedSearch} />
        )}
        {choices.map(([name, values]) => (
          <label key={name}>
            <span>{t(`filter.${name}`)}</span>
            <SelectFrame>
              {values === null ? (
                <select
                  aria-label={t(`filter.${name}`)}
                  className="control"
                  // Hundreds of options take React longer than the rest of the page.
                  dangerouslySetInnerHTML={{
                    __html: selectOption(
                      optionMarkup('', t('filter.any')) + optionsMarkup(options.nationalities),
                      narrowing.nationality,
                    ),
                  }}
                  defaultValue={narrowing.nationality}
                  name="nationality"
                />
              ) : (
                <select className="control" defaultValue={narrowing[name]} name={name}>
                  <option value="">{t('filter.any')}</option>
                  {values}
                </select>
              )}
            </SelectFrame>
          </label>
        ))}
        {(['from', 'to'] as const).map((name) => (
          <DayFilter key={name} label={t(`filter.${name}`)} name={name} read={narrowing[name]} />
        ))}
        <label>
          <span>{t('filter.sort')}</span>
          <SelectFrame>
            <select className="control" defaultValue={sort} name="sort">
              {sortings.map((value) => (
                <option key={value} value={value}>
                  {t(`filter.sorted.${value}`)}
                </option>
              ))}
            </select>
          </SelectFrame>
        </label>
        <Actions>
          <Button small>{t('filter.apply')}</Button>
          {count > 0 || sort !== 'due' ? (
            <Link
              to={`/admin${filterQuery({ ...list, sort: 'due', narrowing: everything, place: null })}`}
            >
              {t('filter.clear')}
            </Link>
          ) : null}
        </Actions>
      </Form>
    </details>
  );
}

/** Above this the note says "many". */
const MAX_SAID_COUNT = 99;

/** The search, where else it has matches, and a link to the whole list. */
export function SearchNote({
  search,
  isNear,
  elsewhere: { otherKind, inOther, unfiltered },
  found,
  list,
}: {
  search: string;
  /** The list has names with one typing mistake, because nothing has the search itself. */
  isNear: boolean;
  elsewhere: ElsewhereMatches;
  found: Pick<Queue, 'total' | 'isTooSlow'>;
  list: ShownFilter;
}) {
  const { t } = useTranslation('desk');
  const { kind, sealedSearch } = list;
  // Where both counts reached the limit, there may be more.
  const hidden =
    unfiltered === null || found.isTooSlow
      ? 0
      : found.total > MAX_LIST_COUNT
        ? MAX_SAID_COUNT + 1
        : unfiltered - found.total;
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-1 pt-3 pb-1" data-testid="search-note">
      <p role="status">{t(isNear ? 'search.near' : 'search.result', { search })}</p>
      {hidden > 0 ? (
        <Link to={`/admin${filterQuery(wholeList(kind, sealedSearch))}`}>
          {hidden > MAX_SAID_COUNT
            ? t('search.many.filtered')
            : t('search.filtered', { count: hidden })}
        </Link>
      ) : null}
      {inOther === 0 ? null : (
        <Link to={`/admin${filterQuery(wholeList(otherKind, sealedSearch))}`}>
          {inOther === null
            ? t(`search.maybe.${otherKind}`)
            : inOther > MAX_SAID_COUNT
              ? t(`search.many.${otherKind}`)
              : t(`search.more.${otherKind}`, { count: inOther })}
        </Link>
      )}
      <Link to={`/admin${filterQuery(wholeList(kind))}`}>{t('search.clear')}</Link>
    </div>
  );
}

type StatCell = { label: ReactNode; figure: ReactNode; note?: ReactNode; urgent?: boolean };

/** Figures in one line, which wraps; on narrow screens two by two. */
function StatLine({ cells }: { cells: readonly StatCell[] }) {
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-fine/5 wide:flex wide:flex-wrap wide:gap-x-7 wide:gap-y-1">
      {cells.map((cell, index) => (
        <div className="flex flex-wrap content-start items-baseline gap-x-1.5" key={index}>
          <dt className="text-ink-2 max-wide:basis-full">{cell.label}</dt>
          <dd className="font-semibold">{cell.figure}</dd>
          {cell.note === undefined ? null : (
            <dd className={cell.urgent ? 'font-semibold text-amber' : 'text-ink-2'}>{cell.note}</dd>
          )}
        </div>
      ))}
    </dl>
  );
}
