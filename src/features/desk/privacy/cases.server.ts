import { randomUUID } from 'node:crypto';
import { toPlainDate, UTC, type PlainDate } from '~/base/dates/dates.ts';
import { isLanguage } from '~/base/languages.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { isUuid } from '~/base/uuid.ts';
import { readNumber } from '~/features/application/number.ts';
import {
  countChosen,
  isNothingChosen,
  type ChosenData,
  changeCase,
  lockCase,
  caseContext,
  type PrivacyCase,
} from './case-store.server.ts';
import { makeErasure } from './repeat-erasures.server.ts';
import { privacyCase } from './tables.server.ts';
import { lockHolds } from '~/features/application/holds.server.ts';
import { erasePerson, comingTrips, erasureBlockers } from './erase.server.ts';
import {
  caseKinds,
  identityChecks,
  outcomes,
  type GivenIdentifiers,
  MAX_PRIVACY_ANSWER_LENGTH,
  type CaseProblem,
} from './privacy-case.ts';
import { insertDeletionRecord, countDeletions } from './deletions.server.ts';
import { audit, type AuditAction } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { retryConflicts } from '~/platform/postgres/transactions.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';

type TypedCase = {
  kind: string;
  arrivedOn: PlainDate | null;
  language: string;
  given: GivenIdentifiers;
};

const pick = <T extends string>(list: readonly T[], typed: string): T | undefined =>
  list.find((one) => one === typed);

/** Records that a request arrived; returns the case's id, or all that is wrong. The clock runs from the day of arrival. */
export async function openCase(
  platform: Platform,
  staff: Staff,
  typed: TypedCase,
): Promise<Outcome<string, readonly CaseProblem[]>> {
  const kind = pick(caseKinds, typed.kind);
  const { arrivedOn, language, given } = typed;
  const openedAt = platform.now();
  const hasArrived = arrivedOn !== null && arrivedOn <= toPlainDate(openedAt, UTC);
  const isEmpty = Object.values(given).every((one) => one.trim() === '');
  const isMistyped = given.number.trim() !== '' && !readNumber(given.number).ok;
  if (!kind || !hasArrived || !isLanguage(language) || isEmpty || isMistyped) {
    const problems: (CaseProblem | false)[] = [
      !kind && 'kind_required',
      !hasArrived && 'arrived_on_invalid',
      !isLanguage(language) && 'language_required',
      isEmpty && 'given_required',
      isMistyped && 'number_invalid',
    ];
    return refused(problems.filter((one) => one !== false));
  }
  const id = randomUUID();
  await platform.db.transaction(async (tx) => {
    const sealed = platform.sealer.sealJson(given, caseContext('given', id));
    const row = { id, kind, arrivedOn, language, openedBy: staff.id, openedAt };
    await tx.insert(privacyCase).values({ ...row, given: sealed });
    await auditCase(tx, staff, id, { action: 'request_opened', at: openedAt, detail: { kind } });
  });
  return ok(id);
}

const auditCase = (
  tx: Transaction,
  staff: Staff,
  id: string,
  entry: { action: AuditAction; at: Date; detail?: Record<string, string | number> },
) => audit(tx, { ...entry, staffId: staff.id, subject: { kind: 'request', id } });

type Change = (tx: Transaction, found: PrivacyCase, at: Date) => Promise<CaseProblem | null>;

/**
 * Changes an open case under its lock; `change` says what is wrong, or null once it is done. The snapshot is taken once
 * no legal hold is being placed or lifted: an erasure sees every hold, and none is placed on what it erases.
 */
async function change(
  platform: Platform,
  id: string,
  what: Change,
): Promise<Outcome<true, CaseProblem>> {
  if (!isUuid(id)) return refused('not_found');
  const problem = await retryConflicts(() => changeOnce(platform, id, what));
  return problem === null ? ok(true) : refused(problem);
}

const changeOnce = (platform: Platform, id: string, what: Change) =>
  platform.db.transaction(
    async (tx): Promise<CaseProblem | null> => {
      await lockHolds(tx);
      const found = await lockCase(tx, platform.sealer, id);
      if (!found) return 'not_found';
      if (found.closedAt) return 'closed';
      return what(tx, found, platform.now());
    },
    { isolationLevel: 'repeatable read' },
  );

/** Records how it was made sure who asks, and which data is theirs: what an export and an erasure then take. */
export const recordIdentity = (
  platform: Platform,
  staff: Staff,
  id: string,
  typed: { check: string; own: ChosenData },
) =>
  change(platform, id, async (tx, found, at) => {
    if (found.erasedAt) return 'erased';
    const identityCheck = pick(identityChecks, typed.check);
    if (!identityCheck) return 'check_required';
    const { own } = typed;
    const identity = { identityCheck, identityBy: staff.id, identityAt: at };
    await changeCase(tx, platform.sealer, id, { ...identity, chosen: own });
    const detail = { check: identityCheck, chosen: countChosen(own) };
    await auditCase(tx, staff, id, { action: 'identity_checked', at, detail });
    return null;
  });

/**
 * Erases what was chosen, with the record that proves it, in one transaction; files go after it. Refused while an
 * application is under way, money is moving or a legal hold stands, and while a coming trip is not confirmed.
 */
export async function eraseForCase(
  platform: Platform,
  staff: Staff,
  id: string,
  { isConfirmed, areTripsConfirmed }: { isConfirmed: boolean; areTripsConfirmed: boolean },
): Promise<Outcome<true, CaseProblem>> {
  let erased: { own: ChosenData; at: Date } | undefined;
  const outcome = await change(platform, id, async (tx, found, at) => {
    if (found.kind !== 'erasure') return 'not_found';
    if (found.erasedAt) return 'erased';
    const own = found.chosen;
    if (!own) return 'identity_first';
    if (isNothingChosen(own)) return 'nothing_chosen';
    const trips = await comingTrips(tx, own, toPlainDate(at, UTC));
    if (trips.length > 0 && !areTripsConfirmed) return 'trip_confirm_required';
    if (!isConfirmed) return 'confirm_required';
    const blockers = await erasureBlockers(tx, own, { now: at, isLocking: true });
    if (blockers.length > 0) return 'blocked';
    let fileIds: string[] = [];
    const counts = await countDeletions(tx, async () => {
      fileIds = await erasePerson(tx, platform, own, at);
    });
    await changeCase(tx, platform.sealer, id, {
      erasedBy: staff.id,
      erasedAt: at,
      chosen: { ...own, fileIds },
    });
    const proof = { id: randomUUID(), at, cause: 'erasure', caseId: id };
    await insertDeletionRecord(tx, { ...proof, ...counts });
    const rows = Object.values(counts.deleted).reduce((sum, count) => sum + count, 0);
    const detail = { rows, files: counts.files };
    await auditCase(tx, staff, id, { action: 'data_erased', at, detail });
    erased = { own, at };
    return null;
  });
  // Outside the database, so that it is still known after a restore from a backup of before; a level that is always on.
  if (outcome.ok && erased) {
    platform.log.warn({ erasure: makeErasure(id, erased.own, erased.at) }, 'data erased');
  }
  return outcome;
}

/** Closes a case with its outcome and the text of the answer. */
export const closeCase = (
  platform: Platform,
  staff: Staff,
  id: string,
  typed: { outcome: string; answer: string },
) =>
  change(platform, id, async (tx, found, at) => {
    const outcome = pick(outcomes, typed.outcome);
    if (!outcome) return 'outcome_required';
    const answer = typed.answer.trim();
    if (answer === '') return 'answer_required';
    if (answer.length > MAX_PRIVACY_ANSWER_LENGTH) return 'too_long';
    const isGranted = outcome === 'granted' || outcome === 'partly';
    if (isGranted && !found.identityAt) return 'identity_first';
    const own = found.chosen;
    // Where nothing was found there is nothing to erase.
    const isToErase = found.kind === 'erasure' && !found.erasedAt && own && !isNothingChosen(own);
    if (isGranted && isToErase) return 'erase_first';
    const values = { outcome, answer, closedBy: staff.id, closedAt: at };
    await changeCase(tx, platform.sealer, id, values);
    await auditCase(tx, staff, id, { action: 'request_closed', at, detail: { outcome } });
    return null;
  });
