import { useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from '~/ui/page/link.tsx';
import { filterQuery, MOST_COUNTED, wholeList, type ShownFilter } from './list-filter.ts';
import type { Queue } from './queue.server.ts';
import type { Elsewhere } from './open-search.server.ts';

/** Above this the note says "many". */
const MOST_SAID = 99;

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
  elsewhere: Elsewhere;
  found: Pick<Queue, 'total' | 'isTooSlow'>;
  list: ShownFilter;
}) {
  const { t } = useTranslation('desk');
  const { kind, sealedSearch } = list;
  // Where both counts reached the limit, there may be more.
  const hidden =
    unfiltered === null || found.isTooSlow
      ? 0
      : found.total > MOST_COUNTED
        ? MOST_SAID + 1
        : unfiltered - found.total;
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-1 pt-3 pb-1" data-testid="search-note">
      <p role="status">{t(isNear ? 'search.near' : 'search.result', { search })}</p>
      {hidden > 0 ? (
        <Link to={`/admin${filterQuery(wholeList(kind, sealedSearch))}`}>
          {hidden > MOST_SAID ? t('search.many.filtered') : t('search.filtered', { count: hidden })}
        </Link>
      ) : null}
      {inOther === 0 ? null : (
        <Link to={`/admin${filterQuery(wholeList(otherKind, sealedSearch))}`}>
          {inOther === null
            ? t(`search.maybe.${otherKind}`)
            : inOther > MOST_SAID
              ? t(`search.many.${otherKind}`)
              : t(`search.more.${otherKind}`, { count: inOther })}
        </Link>
      )}
      <Link to={`/admin${filterQuery(wholeList(kind))}`}>{t('search.clear')}</Link>
    </div>
  );
}
