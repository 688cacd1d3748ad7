import type { Platform } from '~/platform/platform.server.ts';
import { UnsealError, type Sealer } from '~/platform/crypto/seal.server.ts';
import type { Database, Queryable } from '~/platform/postgres/database.server.ts';
import { countList } from './list.server.ts';
import {
  everything,
  isNarrowed,
  MAX_LIST_COUNT,
  readFilter,
  SEARCH,
  type QueueKind,
  type ListFilter,
} from './list-filter.ts';
import { readSearch } from './search-words.ts';
import type { ListReader } from './list-query.server.ts';
import { isUuid } from '~/base/uuid.ts';
import { readNumber } from '~/features/application/number.ts';
import { applicationByNumber } from '~/features/application/store.server.ts';
import { orderNumberByRefund } from '~/features/order/refunds/order-refund-store.server.ts';
import { readReceiptNumber } from '~/features/order/receipt/receipt-facts.ts';
import { orderNumberByReceipt } from '~/features/order/receipt/issue-receipt.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { attemptReferences } from '~/features/payment/settlement/store.server.ts';
import { erasureMoment } from '../privacy/deletions.server.ts';

const CONTEXT = 'desk.search';
const MAX_SEARCH_LENGTH = 120;

type Needed = Pick<Platform, 'sealer'>;

/** A search as part of an address: sealed, because it is usually somebody's name. '' for no search. */
export function sealSearch({ sealer }: Needed, typed: string): string {
  const text = typed.trim().slice(0, MAX_SEARCH_LENGTH);
  return text === '' ? '' : sealer.seal(text, CONTEXT).toString('base64url');
}

/** The text of a sealed search; '' for none, and for one that is forged. */
function openSearch({ sealer }: Needed, sealed: string): string {
  if (sealed === '') return '';
  try {
    return sealer.unsealText(Buffer.from(sealed, 'base64url'), CONTEXT);
  } catch (error) {
    if (error instanceof UnsealError) return '';
    throw error;
  }
}

/** The list that an address names; `search`: the text searched for, '' for none. */
export function readListQuery(
  platform: Platform,
  query: URLSearchParams,
): { filter: ListFilter; search: string; sealedSearch: string } {
  const sealed = query.get(SEARCH) ?? '';
  const search = openSearch(platform, sealed);
  const kind: QueueKind = query.get('tab') === 'insurance' ? 'insurance' : 'visa';
  const filter = readFilter(query, kind, readSearch(search, platform.sealer));
  return { filter, search, sealedSearch: search === '' ? '' : sealed };
}

/** Matches of a search that the open list does not show. */
export type ElsewhereMatches = {
  readonly otherKind: QueueKind;
  /** Matches of the other kind, at most `MAX_ELSEWHERE_COUNT`; null where the time limit was reached. */
  readonly inOther: number | null;
  /**
   * Matches without the list's filters, at most `MAX_LIST_COUNT` + 1; null without filters, or where the time limit was
   * reached.
   */
  readonly unfiltered: number | null;
};

/** Upper limit of the count. */
const MAX_ELSEWHERE_COUNT = 100;

const otherThan = (kind: QueueKind): QueueKind => (kind === 'visa' ? 'insurance' : 'visa');

/** The matches that the open list does not show; null without a search. */
export async function searchElsewhere(
  db: Database,
  filter: ListFilter,
  looking: ListReader,
): Promise<ElsewhereMatches | null> {
  const { kind, search } = filter;
  if (search === null) return null;
  const whole = { show: 'all', narrowing: everything, search } as const;
  const otherKind = otherThan(kind);
  const [inOther, unfiltered] = await Promise.all([
    countList(db, { ...whole, kind: otherKind }, looking, { mostCounted: MAX_ELSEWHERE_COUNT }),
    isNarrowed(filter)
      ? countList(db, { ...whole, kind }, looking, { mostCounted: MAX_LIST_COUNT + 1 })
      : null,
  ]);
  return { otherKind, inOther, unfiltered };
}

/** The kind to show first: the one asked for, or the other where only that has matches; null where neither has. */
export async function firstShownKind(
  db: Database,
  wished: QueueKind,
  search: ListFilter['search'],
  looking: ListReader,
): Promise<QueueKind | null> {
  const whole = { show: 'all', narrowing: everything, search } as const;
  const isThere = (kind: QueueKind) =>
    countList(db, { ...whole, kind }, looking, { mostCounted: 1 });
  if ((await isThere(wished)) !== 0) return wished;
  const other = otherThan(wished);
  return (await isThere(other)) === 0 ? null : other;
}

/** Longer than any provider's id. */
const MAX_ID_LENGTH = 100;

/**
 * The page of what a complete number names: an application, also one that was erased on request; an order, by its number, its receipt's or credit note's, or
 * the id of a payment or refund, ours or the provider's. Null for anything else, for unknown numbers, and for an id
 * that several orders share. Uses unique indexes only.
 */
export async function findExactPage(
  { db, sealer }: { db: Queryable; sealer: Pick<Sealer, 'keyedHash'> },
  typed: string,
): Promise<string | null> {
  const text = typed.trim();
  if (text === '' || text.length > MAX_ID_LENGTH) return null;
  const read = readNumber(text);
  if (read.ok && read.kind !== 'group') {
    const found = await applicationByNumber(db, read.number);
    const isThere = found !== null || (await erasureMoment(db, sealer, read.number)) !== null;
    const tab = read.kind === 'visa' ? '' : '?tab=insurance';
    return isThere ? `/admin/applications/${read.number}${tab}#application` : null;
  }
  if (read.ok) {
    const found = await orderByNumber(db, read.number);
    return found && orderPage(found.number);
  }
  const receipt = readReceiptNumber(text);
  if (receipt) {
    const number = await orderNumberByReceipt(db, receipt);
    return number === null ? null : `${orderPage(number)}#receipts`;
  }
  // Names and addresses contain spaces or signs; providers' ids do not.
  if (!/^[\w.-]{6,}$/.test(text)) return null;
  if (isUuid(text)) {
    const number = await orderNumberByRefund(db, text);
    if (number !== null) return `${orderPage(number)}#refund-${text.toLowerCase()}`;
  }
  const [reference, ...more] = await attemptReferences(db, text);
  if (reference === undefined || more.length > 0) return null;
  const found = await orderByNumber(db, reference);
  return found && orderPage(found.number);
}

const orderPage = (number: string) => `/admin/orders/${number}`;
