import { DAY_MS } from '~/base/dates/dates.ts';
import { uncheckedAnswersSql } from '~/features/application/corrected-mark.server.ts';
import {
  and,
  between,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  sql,
  type SQL,
  type SQLWrapper,
  like,
  or,
} from 'drizzle-orm';
import { type PgColumn, alias, QueryBuilder } from 'drizzle-orm/pg-core';
import { queueGroups, type QueueGroup } from '~/features/application/queue-group.ts';
import {
  inGroupSql,
  newestKeySql,
  queueGroupSql,
  queueKeySql,
  bytesSql,
  digitsSql,
  foldedReferenceSql,
  hasOtherLettersSql,
  PHONE_END,
  phoneEndSql,
} from '~/features/application/queue-sql.server.ts';
import {
  application,
  applicationEarlierPassport,
  applicationEvent,
} from '~/features/application/tables.server.ts';
import { valuesInForce, type Settings } from '~/features/settings/change.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import type { Database } from '~/platform/postgres/database.server.ts';
import { caseActions } from '../application/case-actions.ts';
import { putOffIdsSql } from '../application/put-off.server.ts';
import { deskUpload } from '../application/tables.server.ts';
import { newMessagesSql } from '~/features/application/messages/messages.server.ts';
import { isClaimedBySql } from '~/features/application/claim-store.server.ts';
import {
  isWorkList,
  type ListFilter,
  type Sorting,
  type Narrowing,
  type QueueKind,
  type ShownList,
  MAX_LIST_COUNT,
  type WorkList,
  workLists,
} from './list-filter.ts';
import type { ApplicationStatus } from '~/features/application/status-machine.ts';
import { insuranceApplication } from '~/features/insurance/store/tables.server.ts';
import { visaApplication } from '~/features/visa/store/tables.server.ts';
import { nearSpellings, type Search, type SearchWord } from './search-words.ts';

const undecided: readonly QueueGroup[] = ['waiting', 'paused', 'unpaid'];
const open: readonly QueueGroup[] = ['waiting', 'undelivered', 'paused', 'unpaid'];
/** What staff work on. */
export const inHand = ['waiting', 'undelivered'] as const satisfies readonly QueueGroup[];

const shownGroups: Record<ShownList, readonly QueueGroup[]> = {
  hand_in: ['waiting'],
  at_authority: ['waiting'],
  to_deliver: inHand,
  all: [...open, 'decided', 'closed'],
  mine: open,
  put_off: inHand,
  messages: [...open, 'decided', 'closed'],
  corrected: ['waiting'],
  action_required: ['paused'],
};

/** The parts of the queue in which a status occurs. Staff can only reject what is unpaid. */
const statusGroups: Record<ApplicationStatus, readonly QueueGroup[]> = {
  pending: undecided,
  processing: ['waiting', 'paused'],
  approved: ['undelivered', 'decided'],
  rejected: ['decided', 'closed'],
};

const paymentGroups: Record<Exclude<Narrowing['payment'], ''>, readonly QueueGroup[]> = {
  paid: ['waiting', 'undelivered', 'paused', 'decided'],
  unpaid: ['unpaid', 'closed'],
};

/**
 * The parts of the queue that a list may contain, in queue order. A filter for rejected ones never reads the waiting,
 * and contradictory filters read nothing.
 */
export function listedGroups({ show, narrowing }: Pick<ListFilter, 'show' | 'narrowing'>) {
  const { status, payment } = narrowing;
  return shownGroups[show].filter(
    (group) =>
      (status === '' || statusGroups[status].includes(group)) &&
      (payment === '' || paymentGroups[payment].includes(group)),
  );
}

/** Who reads the list, and when: needed for one's own applications. */
export type ListReader = { staffId: string; now: Date };

export type ListQuery = Omit<ListFilter, 'place' | 'sort'>;

/** The same condition in a form that no index matches. */
export const unindexed = (condition: SQL): SQL => sql`(${condition}) is true`;

/** The same text in a form whose order no index has. */
const unordered = (column: PgColumn): SQL => sql`(${column} || '')`;

/** The conditions of a list, without search, groups and days of application. */
export const listCondition = (wanted: ListQuery, looking: ListReader): SQL | undefined =>
  and(kindCondition(wanted), ofState(wanted), indexedConditions(wanted, looking));

export const kindCondition = ({ kind }: ListQuery): SQL => eq(application.kind, kind);

/** A PDF was added to it that no decision has used. They are few, as they are deleted after a day. */
export const hasPdfSql = (staffId?: string): SQL =>
  sql`${application.id} = any(array(select ${deskUpload.draftFor} from ${deskUpload} where ${and(
    isNotNull(deskUpload.draftFor),
    isNull(deskUpload.applicationId),
    staffId === undefined ? undefined : eq(deskUpload.staffId, staffId),
  )}))`;

// They are few, so they are looked up first.
const isCorrectedSql = sql`${application.id} = any(array(${uncheckedAnswersSql}))`;

/**
 * Whether what staff work on (`inHand`) belongs to a list of work; of each application exactly one does. Corrected answers
 * are handed in again. An insurance is decided, and never leaves the first list before.
 */
export function isInWorkListSql(list: WorkList, kind: QueueKind): SQL {
  if (kind === 'insurance') return list === 'hand_in' ? sql`true` : sql`false`;
  const permits = ({ states }: { states: readonly string[] }) =>
    sql`${application.status} = any(array[${sql.join(
      states.map((state) => sql`${state}`),
      sql`, `,
    )}])`;
  const state = permits(caseActions[workLists[list]]);
  const isHere = hasPdfSql();
  const lists: Record<WorkList, SQL> = {
    hand_in: sql`not ${isHere} and (${state} or ${isCorrectedSql})`,
    at_authority: sql`not ${isHere} and ${state} and not ${isCorrectedSql}`,
    to_deliver: sql`(${isHere} or ${state})`,
  };
  return lists[list];
}

export const isPutOffSql = (now: Parameters<typeof putOffIdsSql>[0]): SQL =>
  sql`${application.id} = any(array(${putOffIdsSql(now)}))`;

/** The setting of how many hours the authority may have an application before staff ask about it. */
export const CHASE_HOURS = 'chase_hours';
export const chaseBounds = { least: 1, most: 720 };
const FIRST_CHASE_HOURS = 24;

export function chaseHours(settings: Settings, at: Date): number {
  const hours = valuesInForce(settings, 'authority', at)[CHASE_HOURS];
  return typeof hours === 'number' ? hours : FIRST_CHASE_HOURS;
}

/** What was handed in before this moment is to be asked about now. */
export async function chaseMoment(db: Database, now: Date): Promise<Date> {
  return new Date(now.getTime() - chaseHours(await currentSettings(db), now) * 3600_000);
}

/** Whether an application was handed in before a moment. */
export const isHandedInBeforeSql = (moment: SQLWrapper): SQL =>
  sql`exists (select 1 from ${applicationEvent} where ${and(
    eq(applicationEvent.applicationId, application.id),
    eq(applicationEvent.kind, 'processing'),
    lt(applicationEvent.at, moment),
  )})`;

/** Conditions that no index in a list's order begins with. */
function ofState({ kind, show, narrowing: { status } }: ListQuery): SQL | undefined {
  return and(
    isWorkList(show) ? isInWorkListSql(show, kind) : undefined,
    // Written so that the index of pending applications, in another order, is not used.
    status === '' ? undefined : between(application.status, status, status),
  );
}

/** The same, in a form that no index matches. */
export const unindexedState = (wanted: ListQuery): SQL =>
  unindexed(and(kindCondition(wanted), ofState(wanted)) ?? sql`true`);

/** Conditions that indexes begin with. */
export const indexedConditions = (wanted: ListQuery, looking: ListReader): SQL | undefined =>
  and(...choices(wanted, looking));

/** The first of these that an index in the queue's order begins with. */
export const firstIndexedCondition = (wanted: ListQuery, looking: ListReader): SQL | undefined =>
  choices(wanted, looking)[0];

const choices = (
  { show, narrowing: { nationality, service } }: ListQuery,
  { staffId, now }: ListReader,
): SQL[] => [
  ...(show === 'mine' ? [isClaimedBySql(staffId, now)] : []),
  ...(show === 'corrected' ? [isCorrectedSql] : []),
  ...(show === 'put_off' ? [isPutOffSql(now)] : []),
  ...(show === 'messages' ? [sql`${application.id} = any(array(${newMessagesSql}))`] : []),
  ...(nationality === '' ? [] : [eq(application.countryCode, nationality)]),
  ...(service === '' ? [] : [sql`${application.service} = ${service}`]),
];

/** The first moment of the days of application, and the first one after them. */
const daysOf = ({ narrowing: { from, to } }: ListQuery) => ({
  since: from === '' ? null : new Date(from),
  until: to === '' ? null : new Date(Date.parse(to) + DAY_MS),
});

/** Applications submitted in these days. */
export function isSubmittedInDays(wanted: ListQuery): SQL | undefined {
  const { since, until } = daysOf(wanted);
  return and(
    since ? gte(application.createdAt, since) : undefined,
    until ? lt(application.createdAt, until) : undefined,
  );
}

/** The same on the sort key of groups that are sorted newest first, so that it is one range of their index. */
function appliedInKey(wanted: ListQuery): SQL | undefined {
  const { since, until } = daysOf(wanted);
  const key = queueKeySql(application);
  return and(
    since ? sql`${key} <= ${String(-since.getTime())}` : undefined,
    until ? sql`${key} > ${String(-until.getTime())}` : undefined,
  );
}

/** Open applications are few; decided and closed ones are many, and sorted newest first. */
const isFew = (group: QueueGroup) =>
  group === 'waiting' || group === 'undelivered' || group === 'paused';

/** The groups that a list reads, small ones apart from large ones. */
export function splitGroups(wanted: ListQuery): { few: boolean; groups: readonly QueueGroup[] }[] {
  const groups = listedGroups(wanted);
  return [
    { few: true, groups: groups.filter(isFew) },
    { few: false, groups: groups.filter((group) => !isFew(group)) },
  ].filter((part) => part.groups.length > 0);
}

/**
 * A contiguous part of a list in its order. One index has that order, or its groups are small enough to be read
 * completely.
 */
export type Partition = {
  part: number;
  few: boolean;
  where: SQL | undefined;
  /** The conditions that this index covers: below it every row is one of the list. */
  indexed: SQL | undefined;
  by: readonly SQL[];
};

/** How a list is made of partitions, and its sort keys. */
export const orders: Record<
  Sorting,
  { part: SQL; by: readonly SQL[]; partitions(wanted: ListQuery, looking: ListReader): Partition[] }
> = {
  due: {
    part: queueGroupSql(application),
    by: [queueKeySql(application)],
    partitions: (wanted, looking) =>
      listedGroups(wanted).map((group) => {
        const days = isFew(group) ? isSubmittedInDays(wanted) : appliedInKey(wanted);
        const where = and(inGroupSql(application, group), days);
        return {
          part: queueGroups[group],
          few: isFew(group),
          where,
          indexed: and(kindCondition(wanted), where, firstIndexedCondition(wanted, looking)),
          by: [queueKeySql(application)],
        };
      }),
  },
  newest: {
    part: sql`0`,
    by: [newestKeySql(application)],
    partitions: (wanted, looking) =>
      orders.due.partitions(wanted, looking).map(({ few, where, indexed }) => ({
        part: 0,
        few,
        where,
        indexed,
        // In a group sorted newest first the key is the same, and indexed.
        by: [few ? newestKeySql(application) : queueKeySql(application)],
      })),
  },
  name: {
    part: sql`0`,
    by: [sql`${application.lastName}`, sql`${application.firstName}`],
    partitions: (wanted) =>
      splitGroups(wanted).map(({ few, groups }) => ({
        part: 0,
        few,
        where: and(groupsCondition(groups), isSubmittedInDays(wanted)),
        indexed: kindCondition(wanted),
        // Scanning all names would take longer than sorting the few open ones.
        by: few
          ? [unordered(application.lastName), unordered(application.firstName)]
          : orders.name.by,
      })),
  },
};

export const groupsCondition = (groups: readonly QueueGroup[]): SQL =>
  inArray(
    queueGroupSql(application),
    groups.map((group) => sql.raw(String(queueGroups[group]))),
  );

/** Two names may be as long, but do not begin so. */
const WHOLE_NUMBER = /^TR[VI].{13}$/;
/** Trigrams find parts of three letters; shorter ones are found at the beginning of words. */
const MIN_TRIGRAM_LENGTH = 3;

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

const wordPattern = (word: string): string =>
  word.length < MIN_TRIGRAM_LENGTH ? `% ${escaped(word)}%` : `%${escaped(word)}%`;

/** Whether a search asks an index first, for a complete number or names with a mistake, or is for nothing: no scan. */
export const isLookedUp = ({ words, number, isNear }: Search): boolean =>
  isNear || words.length === 0 || (number !== null && WHOLE_NUMBER.test(number));

/** Every word occurs in name or email, or the text is part of the number, or the passport or phone. */
export function matchCondition(search: Search): SQL {
  const { words, number } = search;
  if (words.length === 0) return sql`false`;
  if (search.isNear) return isOneOf(nearNames(words));
  if (isLookedUp(search)) return eq(application.number, number ?? '');
  return either(search, (one) => like(application.searchText, wordPattern(one)));
}

const anySpelling = (word: SearchWord, matches: (one: string) => SQL | undefined) =>
  or(...word.map(matches));

/** A subquery for ids, asked once for a statement: in other forms PostgreSQL asks it for each row, or reads all rows. */
const isOneOf = (ids: SQL): SQL => sql`${application.id} = any(array(${ids}))`;

const builder = new QueryBuilder();
/** As many as a list counts. */
const MAX_LOOKED_UP = MAX_LIST_COUNT + 1;

function byPassport(hashes: readonly Buffer[]): SQL {
  const owners = [visaApplication, insuranceApplication, applicationEarlierPassport].map(
    (owner) =>
      sql`select ${owner.applicationId} from ${owner} where ${inArray(owner.passportHash, [...hashes])}`,
  );
  return sql.join(owners, sql` union all `);
}

function byPhone(digits: string): SQL {
  const one = alias(application, 'phoned');
  return builder
    .select({ id: one.id })
    .from(one)
    .where(
      and(
        eq(phoneEndSql(one.phone), digits.slice(-PHONE_END)),
        like(digitsSql(one.phone), `%${digits}`),
      ),
    )
    .limit(MAX_LOOKED_UP)
    .getSQL();
}

function byReference(reference: string): SQL {
  const one = alias(application, 'referred');
  return builder
    .select({ id: one.id })
    .from(one)
    .where(
      and(
        isNotNull(one.authorityReference),
        eq(foldedReferenceSql(one.authorityReference), reference),
      ),
    )
    .limit(MAX_LOOKED_UP)
    .getSQL();
}

/** Each word occurs, or stands in a name with one mistake. */
function nearNames(words: readonly SearchWord[]): SQL {
  const one = alias(application, 'near');
  const conditions = words.map((word) =>
    or(
      anySpelling(word, (spelling) => like(one.searchText, wordPattern(spelling))),
      ...nearSpellings(word).map((spelling) => sql`${one.searchText} ~ ${` ${spelling} `}`),
    ),
  );
  return builder
    .select({ id: one.id })
    .from(one)
    .where(and(...conditions))
    .limit(MAX_LOOKED_UP)
    .getSQL();
}

const either = (
  { words, closed, number, passports, reference, phone }: Search,
  matches: (one: string) => SQL | undefined,
): SQL =>
  or(
    and(...words.map((word) => anySpelling(word, matches))),
    closed === null ? undefined : anySpelling(closed, matches),
    number === null ? undefined : like(application.number, `%${number}%`),
    passports.length === 0 ? undefined : isOneOf(byPassport(passports)),
    reference === null ? undefined : isOneOf(byReference(reference)),
    phone === null ? undefined : isOneOf(byPhone(phone)),
  ) ?? sql`false`;

/**
 * The same for the indexes of names. An email address is searched in its part before the @ only: half of all addresses
 * share a few domains, whose rows PostgreSQL would all read.
 */
export const indexedMatch = (search: Search): SQL =>
  search.isNear ? matchCondition(search) : either(search, wordMatch);

function wordMatch(word: string): SQL | undefined {
  const pattern = wordPattern(word);
  const whole = like(application.searchText, pattern);
  const box = word.slice(0, word.indexOf('@') + 1);
  if (box.length > MIN_TRIGRAM_LENGTH)
    return and(like(application.searchText, wordPattern(box)), unindexed(whole));
  // Other scripts may have no trigrams, see `application_search_other`.
  if (/[a-z0-9]/.test(word)) return whole;
  const part = (word.length < MIN_TRIGRAM_LENGTH ? ` ${word}` : word).replaceAll('\\', '');
  const bytes = Buffer.from(part).toString('hex');
  const text = application.searchText;
  return and(hasOtherLettersSql(text), like(bytesSql(text), `%${bytes}%`), unindexed(whole));
}
