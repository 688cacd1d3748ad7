import { sameMoney, type Money } from '~/base/money.ts';
import type { Language } from '~/base/languages.ts';
import { amountDue, placeOrder } from '~/features/application/place-order.server.ts';
import { closeDraft } from '~/features/form/draft/draft.server.ts';
import {
  deleteParty,
  lockParty,
  partyMembers,
  type Member,
} from '~/features/form/draft/party.server.ts';
import {
  deleteCollectedPhotos,
  readCollectedPhotos,
} from '~/features/insurance/form/draft-photos.server.ts';
import type { Problem } from '~/features/insurance/rules/check.ts';
import { photosOf, type Photo } from '~/features/insurance/store/photo-store.server.ts';
import type { Order } from '~/features/order/store.server.ts';
import { invalidateSettings } from '~/features/settings/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { isInsuredChild } from './check-group.ts';
import { photosForChildren } from './children-photos.server.ts';
import { childrenInsurances, orderedGroup } from './order-group.server.ts';
import { partyNow, type PlansChosen } from './party-now.server.ts';

export type SubmittedParty =
  /** The number is that of the first traveller. */
  | { kind: 'submitted'; applicationNumber: string; order: Order }
  /** Nothing was stored: answers are missing, or wrong in combination with others'. */
  | { kind: 'incomplete' }
  /** Nothing was stored: an insured child needs a photo of a parent's ID, and none has come. */
  | { kind: 'photos'; problems: readonly Problem[] }
  /** Nothing was stored: the amount due differs from the one on the page. */
  | { kind: 'wrong_total'; total: Money }
  /** The party was submitted or has expired. */
  | { kind: 'over' };

export type PartyToSubmit = {
  partyId: string;
  language: Language;
  sessionHash: Buffer;
  /** The total that the page showed. */
  total: Money | null;
  plans: PlansChosen;
};

/** Retries when travellers or settings change while they are being stored. */
const MOST_TRIES = 20;

/**
 * Makes the applications and the one order of a party, all or none, once: the party is locked while it is stored, and
 * each draft remembers its number, so that a second click or another tab finds the same order.
 */
export async function submitParty(
  platform: Platform,
  toSubmit: PartyToSubmit,
): Promise<SubmittedParty> {
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const done = await submitAsRead(platform, toSubmit);
    if (done) return done;
    invalidateSettings(platform.db);
  }
  throw new Error('The travellers, or the settings, change all the time');
}

/** Returns null and stores nothing where answers or settings have changed since they were read. */
async function submitAsRead(
  platform: Platform,
  { partyId, language, sessionHash, total, plans }: PartyToSubmit,
): Promise<SubmittedParty | null> {
  const members = await partyMembers(platform, partyId);
  if (members.length === 0) return { kind: 'over' };
  const { db, sealer } = platform;
  const photos = await photosOf(db, sealer, { draftId: partyId });
  const { checked, now, settings, sold } = await partyNow(platform, members, plans, {
    language,
    photos: photos.length,
  });
  const missing = checked.problems.filter(({ place }) => place !== 'parentIdPhotos');
  if (missing.length > 0) return { kind: 'incomplete' };
  const problems = checked.problems.map((): Problem => ({
    field: 'parentIdPhotos',
    code: 'required',
  }));
  if (problems.length > 0) return { kind: 'photos', problems };

  const ordered = orderedGroup(sealer, checked.travellers, { settings, sold, now });
  const due = amountDue(ordered);
  if (!total || !sameMoney(total, due)) return { kind: 'wrong_total', total: due };
  const children = checked.travellers.filter(isInsuredChild).length;
  const read = children > 0 ? await readCollectedPhotos(platform, partyId) : null;
  const childrenPhotos = await photosForChildren(platform, read, children);
  try {
    const placed = await db.transaction(async (tx) => {
      const held = await lockParty(tx, platform, partyId);
      const photosNow = await photosOf(tx, sealer, { draftId: partyId });
      if (!isSame(held, members) || !isSamePhotos(photosNow, photos)) return null;
      const stored = await placeOrder(tx, ordered, { language, sessionHash, now, settings });
      if (!stored) return null;
      await childrenPhotos.insert(tx, childrenInsurances(checked, stored));
      for (const [index, member] of held.entries()) {
        const visa = stored.applications.find(
          ({ kind, travellerPosition }) => kind === 'visa' && travellerPosition === index + 1,
        );
        if (!visa) throw new Error('A traveller without an application');
        await closeDraft(tx, platform, member, visa.number);
      }
      await deleteParty(tx, partyId);
      await deleteCollectedPhotos(tx, platform, partyId);
      return stored;
    });
    if (!placed) return null;
    childrenPhotos.keep();
    const [first] = placed.applications;
    return { kind: 'submitted', applicationNumber: first.number, order: placed.order };
  } finally {
    await childrenPhotos.removeRest();
  }
}

const isSame = (held: readonly Member[], read: readonly Member[]): boolean =>
  held.length === read.length &&
  held.every(({ id, version }, index) => id === read[index]?.id && version === read[index].version);

const isSamePhotos = (now: readonly Photo[], read: readonly Photo[]): boolean =>
  now.length === read.length && now.every(({ id }, index) => id === read[index]?.id);
