import { and, asc, desc, eq, ne, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Section } from './change.ts';
import { settingProposal } from './tables.server.ts';
import type { ProposalState } from './two-people.ts';

export type Proposal = typeof settingProposal.$inferSelect;

/** Decided ones that a page still shows. */
const MOST_DECIDED = 10;

/** Returns the new proposal's id. */
export async function insertProposal(
  tx: Transaction,
  proposal: Pick<
    Proposal,
    'section' | 'values' | 'validFrom' | 'reason' | 'seen' | 'proposedBy' | 'createdAt'
  >,
): Promise<number> {
  const [row] = await tx
    .insert(settingProposal)
    .values({ ...proposal, state: 'waiting' })
    .returning({ id: settingProposal.id });
  if (!row) throw new Error('A proposal was not stored');
  return row.id;
}

/** Those of a section that wait, oldest first, and the last that were declined or withdrawn. */
export async function proposalsOf(
  db: Queryable,
  section: Section,
): Promise<{ waiting: Proposal[]; ended: Proposal[] }> {
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
    .limit(MOST_DECIDED);
  return { waiting, ended };
}

/** The sections in which proposals wait. */
export async function sectionsWithProposals(db: Queryable): Promise<Section[]> {
  const rows = await db
    .selectDistinct({ section: settingProposal.section })
    .from(settingProposal)
    .where(eq(settingProposal.state, 'waiting'));
  return rows.map(({ section }) => section);
}

export async function proposalById(db: Queryable, id: number): Promise<Proposal | null> {
  const [row] = await db.select().from(settingProposal).where(eq(settingProposal.id, id));
  return row ?? null;
}

/** Ends a proposal that waits; false where somebody else ended it first. */
export async function endProposal(
  tx: Transaction,
  id: number,
  how: {
    state: Exclude<ProposalState, 'waiting'>;
    decidedBy: string;
    decidedAt: Date;
    why?: string;
    changeId?: number;
  },
): Promise<boolean> {
  const rows = await tx
    .update(settingProposal)
    .set(how)
    .where(and(eq(settingProposal.id, id), eq(settingProposal.state, 'waiting')))
    .returning({ id: settingProposal.id });
  return rows.length === 1;
}

/** How many proposals wait for somebody other than their author. */
export const proposalsForSql = (staffId: ReturnType<typeof sql.placeholder>) =>
  sql`select count(*) from ${settingProposal} where ${settingProposal.state} = 'waiting'
    and ${settingProposal.proposedBy} <> ${staffId}`;
