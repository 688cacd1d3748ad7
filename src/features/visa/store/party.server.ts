import { randomUUID } from 'node:crypto';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { controlsOf, type Typed } from '~/features/form/answers/controls.ts';
import { placesLeft, type PartyPlace } from '../party.ts';
import { visaForm } from '../rules/typed.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { saveDraft, rereadDraft, visaDrafts, type Draft } from './draft.server.ts';
import { visaDraftStore } from './draft-store.server.ts';
import {
  deletePlace,
  draftsOfParty,
  insertParty,
  joinParty,
  lockParty,
  moveOpeners,
  prolongParty,
} from './party-store.server.ts';

/** The draft of one traveller of a party. */
export type Member = Draft & { party: PartyPlace };

type Rows = Awaited<ReturnType<typeof draftsOfParty>>;

function membersIn(platform: Pick<Platform, 'sealer'>, id: string, rows: Rows): Member[] {
  const positions = rows.map(({ position }) => position);
  return rows.map(({ row, position }) => ({
    ...visaDrafts.unseal(platform, row),
    party: { id, position, positions },
  }));
}

/** The travellers of a party, in order. */
export const partyMembers = async (
  platform: Pick<Platform, 'db' | 'sealer'>,
  partyId: string,
): Promise<Member[]> => membersIn(platform, partyId, await draftsOfParty(platform.db, partyId));

/** The same, locked until the transaction ends: nobody is added, removed or submitted meanwhile. */
export const lockPartyOf = async (
  tx: Transaction,
  platform: Pick<Platform, 'sealer'>,
  partyId: string,
): Promise<Member[]> => membersIn(platform, partyId, await lockParty(tx, partyId));

/** Makes a single traveller the first of a party; does nothing where they are in one, or submitted. */
export async function startParty(platform: Platform, draft: Draft): Promise<Draft> {
  if (draft.party) return draft;
  await platform.db.transaction(async (tx) => {
    const held = await visaDrafts.lock(tx, platform, draft.id);
    if (!held || held.applicationNumber !== null || held.changing !== null) return;
    if ((await rereadDraft({ ...platform, db: tx }, draft.id))?.party) return;
    await insertParty(tx, randomUUID(), draft.id);
  });
  return (await rereadDraft(platform, draft.id)) ?? draft;
}

/**
 * Makes the only traveller of a party a single one again. Does nothing where others were added, or where this is not
 * the first position: a page of a removed traveller may still be open and name theirs.
 */
export async function endParty(platform: Platform, draft: Draft): Promise<void> {
  const { party } = draft;
  if (!party) return;
  await platform.db.transaction(async (tx) => {
    const members = await lockParty(tx, party.id);
    if (members.length === 1 && party.position === 1) await deletePlace(tx, draft.id);
  });
}

/**
 * Answers that travellers of one journey share: a new traveller begins with them, and may change all but the arrival.
 */
const takenOver: readonly string[] = [
  ...(['arrivalDate', 'purpose', 'email', 'phone', 'address'] as const),
].flatMap((field) => controlsOf(visaForm, field));

const commonOf = (typed: Typed): Typed =>
  Object.fromEntries(
    takenOver.flatMap((control) => (typed[control] ? [[control, typed[control]]] : [])),
  );

/**
 * Adds a traveller with the journey and contact of the first; returns their position. `full`: the party has ten
 * already.
 */
export function addTraveller(
  platform: Platform,
  partyId: string,
  language: string,
): Promise<Outcome<number, 'full' | 'submitted'>> {
  return platform.db.transaction(async (tx) => {
    const members = await lockPartyOf(tx, platform, partyId);
    const [first] = members;
    if (!first || members.some(({ applicationNumber }) => applicationNumber !== null)) {
      return refused('submitted');
    }
    if (placesLeft(members.length) === 0) return refused('full');
    const typed = commonOf(first.content.typed);
    const id = await visaDrafts.createWithoutDevice(tx, platform, { typed, language });
    return ok(await joinParty(tx, partyId, id));
  });
}

/**
 * Deletes the draft of one traveller; browsers that began with it continue with the first of the others. Does nothing
 * for an unknown or the only traveller, or where they are submitted.
 */
export function removeTraveller(
  platform: Platform,
  partyId: string,
  position: number,
): Promise<boolean> {
  return platform.db.transaction(async (tx) => {
    const members = await lockPartyOf(tx, platform, partyId);
    const leaving = members.find(({ party }) => party.position === position);
    const heir = members.find((one) => one !== leaving);
    if (!leaving || !heir || members.some((one) => one.applicationNumber !== null)) return false;
    await moveOpeners(tx, leaving.id, heir.id);
    await visaDraftStore.deleteDrafts(tx, [leaving.id]);
    return true;
  });
}

const arrivalControls = controlsOf(visaForm, 'arrivalDate');

/** Copies one traveller's arrival to all others of the party. */
export async function shareArrival(
  platform: Platform,
  request: Request,
  { party, content }: Draft,
  language: string,
): Promise<void> {
  if (!party) return;
  const entries = Object.fromEntries(
    arrivalControls.map((control) => [control, content.typed[control] ?? '']),
  );
  for (const other of await partyMembers(platform, party.id)) {
    const isSame = arrivalControls.every(
      (control) => (other.content.typed[control] ?? '') === entries[control],
    );
    if (isSame || other.applicationNumber !== null) continue;
    const page = randomUUID();
    const writing = {
      step: 'arrival',
      entries,
      page,
      seen: other.version,
      turn: 0,
      by: 'button',
    } as const;
    await saveDraft(platform, request, other, writing, language);
  }
}

/** Extends the drafts of the other travellers whenever one is written. */
export async function prolongOthers(platform: Platform, { party }: Draft): Promise<void> {
  if (party) await prolongParty(platform.db, party.id, visaDrafts.expiryFrom(platform.now()));
}
