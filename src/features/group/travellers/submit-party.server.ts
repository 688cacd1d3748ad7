import { sameMoney, type Money } from '~/base/money.ts';
import type { Language } from '~/base/languages.ts';
import { deletePhotosBeside } from '~/features/insurance/form/photos-beside.server.ts';
import type { Problem } from '~/features/insurance/rules/check.ts';
import {
  PhotoFiles,
  type AdmittedPhotos,
} from '~/features/insurance/purchase/photo-upload.server.ts';
import type { Order } from '~/features/order/store.server.ts';
import { invalidateSettings } from '~/features/settings/store.server.ts';
import { closeDraft } from '~/features/visa/store/draft.server.ts';
import { deleteParty } from '~/features/visa/store/party-store.server.ts';
import { holdParty, partyMembers, type Member } from '~/features/visa/store/party.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { isInsuredChild } from '../check-group.ts';
import { newGroup, storeGroup } from '../submit-group.server.ts';
import { partyNow, type PlansChosen } from './party-now.server.ts';

export type SubmittedParty =
  /** The number is that of the first traveller. */
  | { kind: 'submitted'; applicationNumber: string; order: Order }
  /** Nothing was stored: answers are missing, or wrong in combination with others'. */
  | { kind: 'incomplete' }
  /** Nothing was stored: an insured child needs a photo of a parent's ID, and none came, or a file is no photo. */
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
  photos: AdmittedPhotos;
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
  { partyId, language, sessionHash, total, plans, photos }: PartyToSubmit,
): Promise<SubmittedParty | null> {
  const members = await partyMembers(platform, partyId);
  const [first] = members;
  if (!first || members.some(({ applicationNumber }) => applicationNumber !== null)) {
    return { kind: 'over' };
  }
  const { problems: wrongPhotos, uploads, allOrNone } = photos;
  const { checked, now, settings, sold } = await partyNow(platform, members, plans, {
    language,
    photos: uploads.length,
  });
  const missing = checked.problems.filter(({ place }) => place !== 'parentIdPhotos');
  if (missing.length > 0) return { kind: 'incomplete' };
  const noPhotos = checked.problems.map((): Problem => ({
    field: 'parentIdPhotos',
    code: 'required',
  }));
  const problems = [...noPhotos, ...wrongPhotos];
  if (problems.length > 0) return { kind: 'photos', problems };

  const about = { language, sessionHash, now, settings, sold };
  const made = newGroup(platform.sealer, checked.travellers, about);
  if (!total || !sameMoney(total, made.totalAmount)) {
    return { kind: 'wrong_total', total: made.totalAmount };
  }
  // Each insured child gets copies of the photos, which are deleted with its application.
  const children = checked.travellers.filter(isInsuredChild);
  const files: PhotoFiles[] = [];
  try {
    while (files.length < children.length) {
      files.push(await PhotoFiles.put(platform, allOrNone));
    }
    const isStored = await platform.db.transaction(async (tx) => {
      const held = await holdParty(tx, platform, partyId);
      if (!isSame(held, members)) return false;
      if (!(await storeGroup(tx, made, settings))) return false;
      const withPhotos = made.travellers.flatMap(({ insurance }) =>
        insurance?.needsPhotos ? [insurance] : [],
      );
      for (const [index, { id }] of withPhotos.entries()) {
        await files[index]?.insert(tx, { applicationId: id });
      }
      for (const [index, member] of held.entries()) {
        const number = made.travellers[index]?.applicationNumber;
        if (number === undefined) throw new Error('A traveller without an application');
        await closeDraft(tx, platform, member, number);
      }
      await deleteParty(tx, partyId);
      await deletePhotosBeside(tx, partyId);
      return true;
    });
    if (!isStored) return null;
    for (const one of files) one.keep();
  } finally {
    for (const one of files) await one.removeRest();
  }
  const applicationNumber = made.travellers[0]?.applicationNumber ?? '';
  return { kind: 'submitted', applicationNumber, order: made.order };
}

const isSame = (held: readonly Member[], read: readonly Member[]): boolean =>
  held.length === read.length &&
  held.every(({ id, version }, index) => id === read[index]?.id && version === read[index].version);
