import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Database, Transaction } from '~/platform/postgres/database.server.ts';
import type { Section } from './change.ts';
import {
  mayBeDecided,
  sectionVersion,
  storeDecision,
  type DecideError,
  type Fits,
  type Trace,
} from './decide.server.ts';
import {
  endProposal,
  insertProposal,
  proposalById,
  type Proposal,
} from './proposal-store.server.ts';
import { invalidateSettings, lockSettings, readSettings } from './store.server.ts';

/**
 * Why a proposal is not taken, confirmed, declined or withdrawn. `own_proposal`: nobody confirms or declines their own.
 * `new_administrator`: the second of two has been one for too short a time. `not_own`: only its author withdraws it. `ended`: somebody was first.
 */
export type ProposeError = DecideError | 'own_proposal' | 'new_administrator' | 'not_own' | 'ended';

type ProposalRequest = { section: Section; id: number; staffId: string; now: Date };

/** Stores a proposal; nothing takes effect. `validFrom` null: as soon as it is confirmed. */
export async function propose(
  db: Database,
  asked: {
    section: Section;
    values: Readonly<Record<string, unknown>>;
    validFrom: Date | null;
    reason: string;
    staffId: string;
    seen: string;
    now: Date;
  },
  fits: Fits,
  trace: Trace,
): Promise<Outcome<number, ProposeError>> {
  const { section, values, validFrom, reason, staffId, seen, now } = asked;
  return db.transaction(async (tx): Promise<Outcome<number, ProposeError>> => {
    await lockSettings(tx);
    const settings = await readSettings(tx);
    if (sectionVersion(settings, section) !== seen) return refused('settings_changed');
    const planned = { section, values, validFrom: validFrom ?? now };
    if (!mayBeDecided(settings, planned, fits)) return refused('does_not_fit');
    const id = await insertProposal(tx, {
      section,
      values,
      validFrom,
      reason,
      seen,
      proposedBy: staffId,
      createdAt: now,
    });
    await trace(tx, id);
    return ok(id);
  });
}

/**
 * Makes a proposal a decision. Refused to its author, and where the section was changed since it was proposed: what
 * was proposed then may mean something else now.
 */
export async function confirmProposal(
  db: Database,
  asked: ProposalRequest,
  fits: Fits,
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
  trace: Trace,
): Promise<Outcome<number, ProposeError>> => end(db, asked, { state: 'declined', why }, trace);

/** Ends one's own proposal. */
export const withdrawProposal = (
  db: Database,
  asked: ProposalRequest,
  trace: Trace,
): Promise<Outcome<number, ProposeError>> => end(db, asked, { state: 'withdrawn' }, trace);

const end = (
  db: Database,
  asked: ProposalRequest,
  how: { state: 'declined'; why: string } | { state: 'withdrawn' },
  trace: Trace,
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
const MOST_ID = 2_147_483_647;

/** The caller has locked the settings, so that nobody ends it meanwhile. */
async function openProposal(
  tx: Transaction,
  { id, section }: ProposalRequest,
): Promise<Outcome<Proposal, ProposeError>> {
  const isId = Number.isInteger(id) && id > 0 && id <= MOST_ID;
  const proposal = isId ? await proposalById(tx, id) : null;
  if (proposal?.section !== section) return refused('not_found');
  return proposal.state === 'waiting' ? ok(proposal) : refused('ended');
}
