import { randomUUID } from 'node:crypto';
import { asc, eq, sql } from 'drizzle-orm';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { MAX_TRAVELLERS } from '~/features/application/travellers.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { FormName, TypedAnswers } from '../answers/controls.ts';
import { draft, draftDevice, draftLink, draftParty } from '../tables.server.ts';
import type { PartyPlace } from './draft-content.ts';
import {
  beginDraft,
  deleteDrafts,
  lockDraft,
  newDraft,
  placedRow,
  rereadDraft,
  unsealDraft,
  type Draft,
} from './draft.server.ts';

/** The draft of one traveller of a party. */
export type PartyMember = Draft & { party: PartyPlace };

const rowsOf = (db: Queryable, partyId: string) =>
  db.select(placedRow).from(draft).where(eq(draft.partyId, partyId)).orderBy(asc(draft.position));

const membersIn = (
  platform: Pick<Platform, 'sealer'>,
  rows: Awaited<ReturnType<typeof rowsOf>>,
): PartyMember[] =>
  rows.flatMap((row) => {
    const { party, ...member } = unsealDraft(platform, row);
    return party ? [{ ...member, party }] : [];
  });

/** The travellers of a party, in order. */
export const partyMembers = async (
  platform: Pick<Platform, 'db' | 'sealer'>,
  partyId: string,
): Promise<PartyMember[]> => membersIn(platform, await rowsOf(platform.db, partyId));

/**
 * The same, locked until the transaction ends: adding, removing and submitting happen one after the other.
 */
export async function lockParty(
  tx: Transaction,
  platform: Pick<Platform, 'sealer'>,
  partyId: string,
): Promise<PartyMember[]> {
  await tx.select().from(draftParty).where(eq(draftParty.id, partyId)).for('update');
  return membersIn(platform, await rowsOf(tx, partyId).for('no key update'));
}

/** Makes a single traveller the first of a party; does nothing where they are in one, or submitted. */
export async function startParty(platform: Platform, begun: Draft): Promise<Draft> {
  if (begun.party) return begun;
  await platform.db.transaction(async (tx) => {
    const held = await lockDraft(tx, platform, begun.id);
    if (!held || held.party || held.applicationNumber !== null || held.changing !== null) return;
    const partyId = randomUUID();
    await tx.insert(draftParty).values({ id: partyId, nextPosition: 2 });
    await tx.update(draft).set({ partyId, position: 1 }).where(eq(draft.id, held.id));
  });
  return (await rereadDraft(platform, begun.id)) ?? begun;
}

/**
 * Makes the only traveller of a party a single one again. Does nothing where others were added, or where this is not
 * the first position: a page of a removed traveller may still be open and name theirs.
 */
export async function endParty(platform: Platform, { party }: Draft): Promise<void> {
  if (party?.position !== 1) return;
  await platform.db.transaction(async (tx) => {
    const [only, ...others] = await lockParty(tx, platform, party.id);
    if (!only || others.length > 0) return;
    await tx.update(draft).set({ partyId: null, position: null }).where(eq(draft.id, only.id));
  });
}

/**
 * Adds a traveller who answers a form; returns their position. `begin`: what they begin with of the answers of the first
 * one; `full`: the party has ten already.
 */
export function addTraveller(
  platform: Platform,
  partyId: string,
  { form, language }: { form: FormName; language: string },
  begin: (first: TypedAnswers) => Record<string, string>,
): Promise<Outcome<number, 'full' | 'submitted'>> {
  return platform.db.transaction(async (tx) => {
    const members = await lockParty(tx, platform, partyId);
    const first = members.find(({ form: own }) => own === form) ?? members[0];
    if (!first) return refused('submitted');
    if (members.length >= MAX_TRAVELLERS) return refused('full');
    const [next] = await tx
      .update(draftParty)
      .set({ nextPosition: sql`${draftParty.nextPosition} + 1` })
      .where(eq(draftParty.id, partyId))
      .returning({ position: sql<number>`${draftParty.nextPosition} - 1` });
    if (!next) throw new Error('The party is gone');
    const { position } = next;
    const content = { typed: begin(first.content.typed), attempted: [], written: {} };
    const row = newDraft(platform, { form, language, content, party: { partyId, position } });
    await tx.insert(draft).values(row);
    return ok(position);
  });
}

/**
 * Deletes the draft of one traveller; browsers and links that opened it open the first of the others instead. Does
 * nothing for an unknown or the only traveller, or where they are submitted.
 */
export function removeTraveller(
  platform: Platform,
  partyId: string,
  position: number,
): Promise<boolean> {
  return platform.db.transaction(async (tx) => {
    const members = await lockParty(tx, platform, partyId);
    const leaving = members.find(({ party }) => party.position === position);
    const heir = members.find((one) => one !== leaving);
    if (!leaving || !heir) return false;
    for (const opener of [draftDevice, draftLink]) {
      await tx.update(opener).set({ draftId: heir.id }).where(eq(opener.draftId, leaving.id));
    }
    await deleteDrafts(tx, [leaving.id]);
    return true;
  });
}

/** Lets a traveller answer the other form, beginning with these answers in place of theirs. */
export async function switchForm(
  platform: Platform,
  { id, party }: PartyMember,
  form: FormName,
  typed: TypedAnswers,
): Promise<void> {
  await platform.db.transaction(async (tx) => {
    const held = (await lockParty(tx, platform, party.id)).find((one) => one.id === id);
    if (held) await beginDraft(tx, platform, held, { form, typed });
  });
}

/** Deletes a party whose drafts are submitted. */
export async function deleteParty(tx: Transaction, partyId: string): Promise<void> {
  await tx.delete(draftParty).where(eq(draftParty.id, partyId));
}
