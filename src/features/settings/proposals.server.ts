import { and, asc, desc, eq, ne, sql } from 'drizzle-orm';
import { z } from 'zod';
import { languages, type Language } from '~/base/languages.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Database, Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { twoPeopleSections, type ProposalState, type SettingsSection } from './change.ts';
import {
  isDecisionConsistent,
  sectionVersion,
  storeDecision,
  type DecideError,
  type ConsistencyCheck,
  type AuditWriter,
} from './decide.server.ts';
import { invalidateSettings, lockSettings, readSettings } from './store.server.ts';
import { settingProposal } from './tables.server.ts';

export type SettingProposal = typeof settingProposal.$inferSelect;

/** Decided ones that a page still shows. */
const MAX_DECIDED_PROPOSALS = 10;

/** Those of a section that wait, oldest first, and the last that were declined or withdrawn. */
export async function proposalsBySection(
  db: Queryable,
  section: SettingsSection,
): Promise<{ waiting: SettingProposal[]; ended: SettingProposal[] }> {
  const isOf = eq(settingProposal.section, section);
  const waiting = await db
    .select()
    .from(settingProposal)
    .where(and(isOf, eq(settingProposal.state, 'waiting')))
    .orderBy(asc(settingProposal.id));
  const ended = await db
    .select()
    .from(settingProposal)
    .where(and(isOf, ne(settingProposal.state, 'waiting'), ne(settingProposal.state, 'confirmed')))
    .orderBy(desc(settingProposal.id))
    .limit(MAX_DECIDED_PROPOSALS);
  return { waiting, ended };
}

/** The sections in which proposals wait. */
export async function sectionsWithProposals(db: Queryable): Promise<SettingsSection[]> {
  const rows = await db
    .selectDistinct({ section: settingProposal.section })
    .from(settingProposal)
    .where(eq(settingProposal.state, 'waiting'));
  return rows.map(({ section }) => section);
}

/** The caller has locked the settings, and found that it waits. */
async function endProposal(
  tx: Transaction,
  id: number,
  how: Pick<SettingProposal, 'decidedBy' | 'decidedAt'> &
    Partial<Pick<SettingProposal, 'why' | 'changeId'>> & {
      state: Exclude<ProposalState, 'waiting'>;
    },
): Promise<void> {
  await tx.update(settingProposal).set(how).where(eq(settingProposal.id, id));
}

/** How many proposals wait for somebody other than their author. */
export const proposalsForSql = (staffId: ReturnType<typeof sql.placeholder>) =>
  sql`select count(*) from ${settingProposal} where ${settingProposal.state} = 'waiting'
    and ${settingProposal.proposedBy} <> ${staffId}`;

/**
 * Why a proposal is not taken, confirmed, declined or withdrawn. `own_proposal`: nobody confirms or declines their own.
 * `new_administrator`: the second of two has been one for too short a time. `not_own`: only its author withdraws it. `ended`: somebody was first.
 */
export type ProposeError = DecideError | 'own_proposal' | 'new_administrator' | 'not_own' | 'ended';

type ProposalRequest = { section: SettingsSection; id: number; staffId: string; now: Date };

/** Stores a proposal; nothing takes effect. `validFrom` null: as soon as it is confirmed. */
export async function proposeChange(
  db: Database,
  asked: {
    section: SettingsSection;
    values: Readonly<Record<string, unknown>>;
    validFrom: Date | null;
    reason: string;
    staffId: string;
    seen: string;
    now: Date;
  },
  fits: ConsistencyCheck,
  trace: AuditWriter,
): Promise<Outcome<number, ProposeError>> {
  const { section, values, validFrom, reason, staffId, seen, now } = asked;
  return db.transaction(async (tx): Promise<Outcome<number, ProposeError>> => {
    await lockSettings(tx);
    const settings = await readSettings(tx);
    if (sectionVersion(settings, section) !== seen) return refused('settings_changed');
    const planned = { section, values, validFrom: validFrom ?? now };
    if (!isDecisionConsistent(settings, planned, fits)) return refused('does_not_fit');
    const proposal = { section, values, validFrom, reason, seen };
    const [row] = await tx
      .insert(settingProposal)
      .values({ ...proposal, proposedBy: staffId, createdAt: now, state: 'waiting' })
      .returning({ id: settingProposal.id });
    if (!row) throw new Error('A proposal was not stored');
    await trace(tx, row.id);
    return ok(row.id);
  });
}

/**
 * Makes a proposal a decision. Refused to its author, and where the section was changed since it was proposed: what
 * was proposed then may mean something else now.
 */
export async function confirmProposal(
  db: Database,
  asked: ProposalRequest,
  fits: ConsistencyCheck,
  trace: (tx: Transaction, change: number) => Promise<void>,
): Promise<Outcome<number, ProposeError>> {
  const { section, id, staffId, now } = asked;
  const outcome = await db.transaction(async (tx): Promise<Outcome<number, ProposeError>> => {
    await lockSettings(tx);
    const found = await openProposal(tx, asked);
    if (!found.ok) return found;
    const { values, validFrom, reason, seen, proposedBy } = found.value;
    if (proposedBy === staffId) return refused('own_proposal');
    const settings = await readSettings(tx);
    if (sectionVersion(settings, section) !== seen) return refused('settings_changed');
    const stored = await storeDecision(
      tx,
      settings,
      { section, values, validFrom, reason, staffId: proposedBy, confirmedBy: staffId, now },
      fits,
    );
    if (!stored.ok) return stored;
    const changeId = stored.value.id;
    await endProposal(tx, id, { state: 'confirmed', decidedBy: staffId, decidedAt: now, changeId });
    await trace(tx, changeId);
    return ok(changeId);
  });
  invalidateSettings(db);
  return outcome;
}

/** Ends a proposal of somebody else's, with the reason for its author. */
export const declineProposal = (
  db: Database,
  { why, ...asked }: ProposalRequest & { why: string },
  trace: AuditWriter,
): Promise<Outcome<number, ProposeError>> => end(db, asked, { state: 'declined', why }, trace);

/** Ends one's own proposal. */
export const withdrawProposal = (
  db: Database,
  asked: ProposalRequest,
  trace: AuditWriter,
): Promise<Outcome<number, ProposeError>> => end(db, asked, { state: 'withdrawn' }, trace);

const end = (
  db: Database,
  asked: ProposalRequest,
  how: { state: 'declined'; why: string } | { state: 'withdrawn' },
  trace: AuditWriter,
): Promise<Outcome<number, ProposeError>> =>
  db.transaction(async (tx): Promise<Outcome<number, ProposeError>> => {
    await lockSettings(tx);
    const found = await openProposal(tx, asked);
    if (!found.ok) return found;
    const isOwn = found.value.proposedBy === asked.staffId;
    if (how.state === 'declined' && isOwn) return refused('own_proposal');
    if (how.state === 'withdrawn' && !isOwn) return refused('not_own');
    await endProposal(tx, asked.id, { ...how, decidedBy: asked.staffId, decidedAt: asked.now });
    await trace(tx, asked.id);
    return ok(asked.id);
  });

/** PostgreSQL's largest integer. */
const MAX_ID = 2_147_483_647;

/** The caller has locked the settings, so that nobody ends it meanwhile. */
async function openProposal(
  tx: Transaction,
  { id, section }: ProposalRequest,
): Promise<Outcome<SettingProposal, ProposeError>> {
  const isId = Number.isInteger(id) && id > 0 && id <= MAX_ID;
  const [proposal] = isId
    ? await tx.select().from(settingProposal).where(eq(settingProposal.id, id))
    : [];
  if (proposal?.section !== section) return refused('not_found');
  return proposal.state === 'waiting' ? ok(proposal) : refused('ended');
}

/** The job that tells one administrator of a change of prices. Payload: `ChangeNotice`. */
export const CHANGE_NOTICE_JOB = 'settings.change_notice';

const codes = languages.map(({ code }) => code) as [Language, ...Language[]];

/**
 * What one administrator is told: `change` is the id of the proposal where it was `proposed`, otherwise that of the
 * decision. `alone`: the only administrator decided, as the configuration allows.
 */
export const changeNotice = z.object({
  accountId: z.uuid(),
  section: z.enum(twoPeopleSections),
  what: z.enum(['proposed', 'confirmed', 'alone']),
  change: z.number().int(),
  by: z.uuid(),
  language: z.enum(codes),
});
export type ChangeNotice = z.infer<typeof changeNotice>;
