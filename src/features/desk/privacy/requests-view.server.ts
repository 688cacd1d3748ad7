import {
  DAY_MS,
  toPlainDate,
  formatDate,
  formatMoment,
  parseDate,
  UTC,
} from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import { retention } from '~/base/retention-periods.ts';
import { fullName } from '~/features/application/full-name.ts';
import { formatNumber } from '~/base/format-number.ts';
import { countChosen, closedCases, openCases, type PrivacyCase } from './case-store.server.ts';
import { checkErasure, planErasure } from './erase.server.ts';
import { findPerson, type FoundPerson } from './find-person.server.ts';
import { daysLeft, answerDueDate, URGENT_DAYS } from './privacy-case.ts';
import { deletionByCase, lastRestoreMoment, countByGroup } from './deletions.server.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import { retentionInForce } from '~/features/site/retention.server.ts';
import { staffNames } from '~/features/staff/store.server.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import type { Platform } from '~/platform/platform.server.ts';

const MAX_CLOSED_CASES = 50;
/** So long the list says that a backup was restored. */
const RESTORE_SHOWN_DAYS = 30;

export type RequestRow = ReturnType<typeof rowOf>;

type Stage = 'identity' | 'work' | 'erased' | 'closed';

const stageOf = ({ closedAt, erasedAt, identityAt }: PrivacyCase): Stage => {
  if (closedAt) return 'closed';
  if (erasedAt) return 'erased';
  return identityAt ? 'work' : 'identity';
};

function rowOf(found: PrivacyCase, now: Date, language: Language) {
  const { id, kind, arrivedOn, closedAt } = found;
  const left = closedAt ? null : daysLeft(arrivedOn, toPlainDate(now, UTC));
  return {
    id,
    kind,
    arrived: formatDate(arrivedOn, language),
    due: formatDate(answerDueDate(arrivedOn), language),
    /** Days; negative once overdue, null for a closed one. */
    left,
    isUrgent: left !== null && left <= URGENT_DAYS,
    stage: stageOf(found),
  };
}

/** Open requests, and those that were closed last; without what was given in them. */
export async function requestRows(platform: Platform, language: Language) {
  const { db, sealer } = platform;
  const now = platform.now();
  const [open, closed, restored] = await Promise.all([
    openCases(db, sealer),
    closedCases(db, sealer, MAX_CLOSED_CASES),
    lastRestoreMoment(db, new Date(now.getTime() - RESTORE_SHOWN_DAYS * DAY_MS)),
  ]);
  return {
    open: open.map((one) => rowOf(one, now, language)),
    closed: closed.map((one) => rowOf(one, now, language)),
    /** When a backup was restored, lately. */
    restored: restored && formatMoment(restored, language, UTC, 'dated'),
  };
}

/** Something that may be chosen as the person's; `value`: what the form sends. */
type PersonChoice = { value: string; label: string; detail: string; isChosen: boolean };

/** What was found by what the person gave, and what is chosen already, as choices. */
function choicesOf(
  { applications, orders, drafts, cases, staff }: FoundPerson,
  found: PrivacyCase,
  language: Language,
): PersonChoice[] {
  const t = makeTranslate(language, 'privacy');
  const own = found.chosen;
  const isChosen = (id: string, list: readonly string[] | undefined) => list?.includes(id) ?? false;
  const day = (at: Date) => formatDate(toPlainDate(at, UTC), language);
  return [
    ...applications.map(({ id, kind, number, email, dateOfBirth, ...names }) => ({
      value: `application:${id}`,
      label: t(`found.${kind}`, { number: formatNumber(number) }),
      detail: [fullName(names), dateOfBirth, email].join(' · '),
      isChosen: isChosen(id, own?.applicationIds),
    })),
    ...orders.map(({ id, number, customerName, customerEmail }) => ({
      value: `order:${id}`,
      label: t('found.order', { number: formatNumber(number) }),
      detail: [customerName, customerEmail].join(' · '),
      isChosen: isChosen(id, own?.orderIds),
    })),
    ...drafts.map(({ id, name, email, createdAt }) => ({
      value: `draft:${id}`,
      label: t('found.draft'),
      detail: [name, email, day(createdAt)].filter(Boolean).join(' · '),
      isChosen: isChosen(id, own?.draftIds),
    })),
    ...cases
      .filter(({ id }) => id !== found.id)
      .map(({ id, kind, arrivedOn, given }) => ({
        value: `case:${id}`,
        label: t('found.request', { kind: t(`kind.${kind}`) }),
        detail: [formatDate(arrivedOn, language), given.number, given.email, given.passport]
          .filter((part) => part.trim() !== '')
          .join(' · '),
        isChosen: isChosen(id, own?.caseIds),
      })),
    // An account ends with the work, not on a request.
    ...(found.kind === 'erasure' ? [] : staff).map(({ id, name, email }) => ({
      value: `staff:${id}`,
      label: t('found.staff'),
      detail: [name, email].join(' · '),
      isChosen: isChosen(id, own?.staffIds),
    })),
  ];
}

/** Ids of these kinds of choices. */
export function parseChosenIds(values: readonly string[]) {
  const of = (kind: string) =>
    values.flatMap((value) => (value.startsWith(`${kind}:`) ? [value.slice(kind.length + 1)] : []));
  return {
    applicationIds: of('application'),
    orderIds: of('order'),
    draftIds: of('draft'),
    caseIds: of('case'),
    staffIds: of('staff'),
  };
}

/** The choices that a case offers now: a form that sends others is refused. */
export const currentChoices = async (platform: Platform, found: PrivacyCase, language: Language) =>
  choicesOf(await findPerson(platform, found.given), found, language);

/** Everything that the page of a request shows. */
export async function requestView(platform: Platform, found: PrivacyCase, language: Language) {
  const now = platform.now();
  const own = found.chosen;
  const isOpen = found.closedAt === null;
  const isErasing = found.kind === 'erasure' && own !== null;
  const names = await staffNames(
    platform.db,
    [found.openedBy, found.identityBy, found.erasedBy, found.closedBy].flatMap((id) => id ?? []),
  );
  const done = (by: string | null, at: Date | null) =>
    by && at
      ? { name: names.get(by) ?? '', moment: formatMoment(at, language, UTC, 'dated') }
      : null;
  const plan = isOpen && isErasing && !found.erasedAt ? await planErasure(platform, own) : null;
  const proof = found.erasedAt ? await deletionByCase(platform.db, found.id) : null;
  const kept = retentionInForce(await readSettings(platform.db), now);
  const years = {
    ledger: retention.ledger.years,
    insurance: kept.insurance,
    request: retention.privacyCase.years,
  };
  return {
    row: rowOf(found, now, language),
    language: found.language,
    given: found.given,
    opened: done(found.openedBy, found.openedAt),
    identity: found.identityCheck && {
      check: found.identityCheck,
      ...done(found.identityBy, found.identityAt),
    },
    choices: isOpen && !found.erasedAt ? await currentChoices(platform, found, language) : [],
    chosenCount: own ? countChosen(own) : 0,
    plan: plan && {
      blockers: plan.blockers.map((one) => ({ ...one, number: formatNumber(one.number) })),
      trips: plan.trips.map(({ number, startsOn }) => {
        const day = parseDate(startsOn);
        return { number: formatNumber(number), date: day ? formatDate(day, language) : startsOn };
      }),
      goes: countByGroup(plan.goes.deleted),
      changes: countByGroup(plan.goes.changed),
      files: plan.goes.files,
      stays: countByGroup(plan.stays),
      insurances: plan.keptInsurances,
    },
    erased: done(found.erasedBy, found.erasedAt),
    proof: proof && {
      goes: countByGroup(proof.deleted),
      changes: countByGroup(proof.changed),
      files: proof.files,
    },
    check: found.erasedAt && own ? await checkErasure(platform, own, found.given) : null,
    outcome: found.outcome,
    answer: found.answer,
    closed: done(found.closedBy, found.closedAt),
    years,
  };
}

export type RequestView = Awaited<ReturnType<typeof requestView>>;
