import { randomUUID } from 'node:crypto';
import { and, count, eq, sql } from 'drizzle-orm';
import { addDays, toPlainDate, TURKIYE } from '~/base/dates/dates.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { application, applicationEvent } from '~/features/application/tables.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import { staffNames } from '~/features/staff/store.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { auditEntry, staffAccount } from '~/features/staff/tables.server.ts';
import { csvDownload, type CsvColumns } from '~/platform/http/csv.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { within } from '~/platform/postgres/span.server.ts';
import { readWhy, type WhyError } from '../application/note.ts';
import { insertNote } from '../application/notes.server.ts';
import { comparedFacts, otherDifferences } from '../application/pdf-rules.ts';
import { deskSecondLook } from '../application/tables.server.ts';
import { isOpenLookSql } from '../frame/signals.server.ts';
import { insertForYou, notifyMentioned } from '../queue/for-you.server.ts';
import { stepOf } from './ledger.server.ts';
import { daysOfStep, spanOf, type Period } from './period.tsx';

/**
 * The part of a day's decisions that is drawn, with a least and a most. Twenty are a quarter of an hour's work, and a
 * hundred a week show a mistake that three in a hundred decisions have with 95 % certainty.
 */
const SHARE_DRAWN = 0.05;
const MIN_DRAWN = 5;
const MAX_DRAWN = 20;

/** Days of which looks are drawn if that was not done, so that a service that stood still leaves none out. */
const DAYS_DRAWN = 3;

/** In spite of what a decision was sent: facts that its PDF does not say, and others. */
const allDifferences = [...comparedFacts, ...otherDifferences] as const;
type Difference = (typeof allDifferences)[number];

/** A decision as the draw sees it. */
type DrawableDecision = { id: number; kind: string; differences: readonly Difference[] };

/**
 * The decisions of a day that are looked at a second time: each one that was sent in spite of a difference, and of the
 * others those that `rankOf` puts first. A document that followed its approval is no decision of its own.
 */
export function drawDecisions<D extends DrawableDecision>(
  decisions: readonly D[],
  rankOf: (id: number) => string,
): D[] {
  const differing = decisions.filter((one) => one.differences.length > 0);
  const others = decisions
    .filter((one) => one.differences.length === 0 && one.kind !== 'document_attached')
    .map((decision) => ({ decision, rank: rankOf(decision.id) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1));
  const size = Math.ceil(others.length * SHARE_DRAWN);
  const drawn = others.slice(0, Math.min(MAX_DRAWN, Math.max(MIN_DRAWN, size)));
  return [...differing, ...drawn.map(({ decision }) => decision)];
}

/** The differences that the audit entry of a decision names. */
function readDifferences(detail: typeof auditEntry.$inferSelect.detail | null): Difference[] {
  const { documentCheck, differing, sameFileElsewhere, possibleDuplicate } = detail ?? {};
  const named = [
    ...(typeof differing === 'string' ? differing.split(' ') : []),
    documentCheck === 'unread' ? 'unread' : '',
    Number(sameFileElsewhere ?? 0) > 0 ? 'same_file' : '',
    possibleDuplicate === true ? 'duplicate' : '',
  ];
  return allDifferences.filter((one) => named.includes(one));
}

/**
 * Draws the decisions of yesterday in Türkiye, once: by then none of them can be undone. The rank is a keyed hash, so
 * that nobody can tell beforehand whose turn it is.
 */
export async function drawSecondLooks({
  db,
  now,
  sealer,
}: Pick<Platform, 'db' | 'now' | 'sealer'>): Promise<void> {
  const today = toPlainDate(now(), TURKIYE);
  for (let back = DAYS_DRAWN; back > 0; back--) {
    const day = addDays(today, -back);
    const span = spanOf({ first: day, last: day });
    const isDrawn = await db.$count(deskSecondLook, within(sql`${deskSecondLook.decidedAt}`, span));
    if (isDrawn > 0) continue;
    const decided = await db
      .select({
        id: applicationEvent.id,
        kind: applicationEvent.kind,
        applicationId: applicationEvent.applicationId,
        // The index of what staff did has no row without.
        staffId: sql<string>`${applicationEvent.staffId}`,
        decidedAt: applicationEvent.at,
        detail: auditEntry.detail,
      })
      .from(applicationEvent)
      .leftJoin(
        auditEntry,
        and(
          eq(auditEntry.subjectKind, 'application'),
          eq(auditEntry.subjectId, sql`${applicationEvent.applicationId}::text`),
          eq(auditEntry.action, applicationEvent.kind),
          eq(auditEntry.at, applicationEvent.at),
          eq(auditEntry.staffId, applicationEvent.staffId),
        ),
      )
      .where(
        sql`${applicationEvent.staffId} is not null
          and ${applicationEvent.kind} in ('approved', 'rejected', 'correction_asked', 'document_attached')
          and ${within(sql`${applicationEvent.at}`, span)}`,
      );
    const drawn = drawDecisions(
      decided.map(({ detail, ...one }) => ({ ...one, differences: readDifferences(detail) })),
      (id) => sealer.keyedHash(String(id), 'desk_second_look.event_id').toString('hex'),
    );
    if (drawn.length === 0) continue;
    await db
      .insert(deskSecondLook)
      .values(drawn.map(({ id, kind: _, ...one }) => ({ ...one, eventId: id })))
      .onConflictDoNothing();
  }
}

/** Decisions listed at once; the next follow when these are looked at. */
const MAX_LISTED = 50;

/**
 * What somebody is to look at: those sent in spite of a difference first, then the oldest. `all`: how many there are.
 * Personal: the caller records the view.
 */
export async function openLooks(db: Queryable, { id }: Pick<Staff, 'id'>, now: Date) {
  const isOpen = isOpenLookSql({ staffId: sql`${id}`, now: sql`${now.toISOString()}` });
  const [{ all } = { all: 0 }] = await db
    .select({ all: count() })
    .from(deskSecondLook)
    .where(isOpen);
  const rows = await db
    .select({
      id: deskSecondLook.eventId,
      applicationId: deskSecondLook.applicationId,
      decidedAt: deskSecondLook.decidedAt,
      differences: deskSecondLook.differences,
      kind: applicationEvent.kind,
      number: application.number,
      name: sql<string>`${application.lastName} || ', ' || ${application.firstName}`,
      rejectionCode: application.rejectionCode,
      by: staffAccount.name,
    })
    .from(deskSecondLook)
    .innerJoin(applicationEvent, eq(applicationEvent.id, deskSecondLook.eventId))
    .innerJoin(application, eq(application.id, deskSecondLook.applicationId))
    .innerJoin(staffAccount, eq(staffAccount.id, deskSecondLook.staffId))
    .where(isOpen)
    .orderBy(
      sql`cardinality(${deskSecondLook.differences}) = 0`,
      deskSecondLook.decidedAt,
      deskSecondLook.eventId,
    )
    .limit(MAX_LISTED);
  return {
    all,
    looks: rows.map((row) => ({
      ...row,
      differences: allDifferences.filter((one) => row.differences.includes(one)),
    })),
  };
}

export type Verdict = 'right' | 'wrong';

/**
 * Why a verdict was not taken. `unknown_look`: not drawn, or deleted since. `own_decision`: nobody judges their own.
 * `judged`: somebody was first.
 */
export type JudgeError =
  | { code: 'unknown_look' | 'own_decision' | WhyError }
  | { code: 'judged'; name: string; verdict: Verdict };

/**
 * Says of a drawn decision whether it was right. What is wrong becomes a note of the application, and its author is told.
 * Of two people at once the first one counts.
 */
export async function judgeDecision(
  { db, now, sealer }: Pick<Platform, 'db' | 'now' | 'sealer'>,
  staff: Staff,
  { id, verdict, why }: { id: number; verdict: Verdict; why: string },
): Promise<Outcome<null, JudgeError>> {
  const typed = verdict === 'wrong' ? readWhy(why) : null;
  return db.transaction(async (tx) => {
    const isIt = eq(deskSecondLook.eventId, id);
    const [look] = await tx.select().from(deskSecondLook).where(isIt).for('update');
    if (!look) return refused({ code: 'unknown_look' });
    const { applicationId, staffId } = look;
    if (staffId === staff.id) return refused({ code: 'own_decision' });
    if (look.verdict !== null && look.judgedBy !== null) {
      const name = (await staffNames(tx, [look.judgedBy])).get(look.judgedBy) ?? '?';
      return refused({ code: 'judged', name, verdict: look.verdict });
    }
    if (typed?.ok === false) return refused({ code: typed.error });
    const at = now();
    const noteId = typed ? randomUUID() : null;
    const subject = { kind: 'application', id: applicationId } as const;
    if (typed && noteId !== null) {
      const text = typed.value;
      const note = { id: noteId, applicationId, staffId: staff.id, text, writtenAt: at };
      await insertNote(tx, sealer, note);
      await audit(tx, { at, staffId: staff.id, action: 'note_added', subject, detail: { noteId } });
      await insertForYou(tx, [
        { kind: 'found_wrong', staffId, applicationId, noteId, byStaffId: staff.id, at },
      ]);
      await notifyMentioned(tx, staff, { noteId, applicationId, text, at });
    }
    await tx
      .update(deskSecondLook)
      .set({ verdict, judgedBy: staff.id, judgedAt: at, noteId })
      .where(isIt);
    await audit(tx, {
      at,
      staffId: staff.id,
      action: 'decision_judged',
      subject,
      detail: { event: id, verdict, of: staffId },
    });
    return ok(null);
  });
}

/** Second looks at the decisions of a step: drawn ones and those sent in spite of a difference tell different things. */
type LookFigures = {
  drawnJudged: number;
  drawnWrong: number;
  differingJudged: number;
  differingWrong: number;
  /** Nobody has looked yet. */
  open: number;
};

const NO_LOOKS: LookFigures = {
  drawnJudged: 0,
  drawnWrong: 0,
  differingJudged: 0,
  differingWrong: 0,
  open: 0,
};

/** How many decisions were looked at again and found wrong, by the steps in which they were taken, and of the whole. */
export async function countLooks(db: Queryable, period: Period) {
  const { rows } = await db.execute<LookFigures & { step: number | null }>(sql`
    select step, count(*) filter (where is_drawn and verdict is not null)::int as "drawnJudged",
      count(*) filter (where is_drawn and verdict = 'wrong')::int as "drawnWrong",
      count(*) filter (where not is_drawn and verdict is not null)::int as "differingJudged",
      count(*) filter (where not is_drawn and verdict = 'wrong')::int as "differingWrong",
      count(*) filter (where verdict is null)::int as open
    from (
      select ${stepOf(sql`decided_at`, period)} as step, verdict, cardinality(differences) = 0 as is_drawn
      from ${deskSecondLook} where ${within(sql`decided_at`, spanOf(period))}
    ) as look group by grouping sets ((step), ())`);
  const figuresOf = (asked: number | null) => ({
    ...NO_LOOKS,
    ...rows.find(({ step }) => step === asked),
  });
  return {
    steps: period.starts.map((_, step) => ({ ...daysOfStep(period, step), ...figuresOf(step) })),
    whole: figuresOf(null),
  };
}

type LookStep = Awaited<ReturnType<typeof countLooks>>['steps'][number];

const lookColumns: CsvColumns<LookStep> = {
  from: ({ first }) => first,
  to: ({ last }) => last,
  drawn_looked_at: ({ drawnJudged }) => drawnJudged,
  drawn_wrong: ({ drawnWrong }) => drawnWrong,
  differing_looked_at: ({ differingJudged }) => differingJudged,
  differing_wrong: ({ differingWrong }) => differingWrong,
  not_looked_at: ({ open }) => open,
};

/** The second looks of a period, a row for each step. */
export const looksFile = ({ platform, period }: { platform: Platform; period: Period }): Response =>
  csvDownload(
    `second-looks-${period.first}-to-${period.last}`,
    lookColumns,
    (async function* steps() {
      yield* await platform.readLagging(async (db) => (await countLooks(db, period)).steps);
    })(),
  );
