import { sameMoney, type Money } from '~/base/money.ts';
import type { Language } from '~/base/languages.ts';
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
import { isChild, type CheckedTraveller } from '../check-group.ts';
import { newGroup, storeGroup } from '../submit-group.server.ts';
import { partyNow, type PlansChosen } from './party-now.server.ts';

export type SubmittedParty =
  /** The number is that of the first traveller. */
  | { kind: 'submitted'; applicationNumber: string; order: Order }
  /** Nothing was stored: somebody's answers are missing, or wrong beside the others'. */
  | { kind: 'incomplete' }
  /** Nothing was stored: a child is to be insured, and there is no photo of a parent's ID, or a file that is none. */
  | { kind: 'photos'; problems: readonly Problem[] }
  /** Nothing was stored: what is due is not what the page showed. */
  | { kind: 'wrong_total'; total: Money }
  /** The party is submitted, or gone. */
  | { kind: 'over' };

export type PartyToSubmit = {
  partyId: string;
  language: Language;
  sessionHash: Buffer;
  /** What the page showed. */
  total: Money | null;
  plans: PlansChosen;
  photos: AdmittedPhotos;
};

/** So often the travellers, or the settings, may turn out to have changed meanwhile. */
const MOST_TRIES = 20;

/**
 * Makes the applications and the one order of a party, all or none, once: the party is held while it is stored, and each
 * draft remembers its number, so that a second click and another tab find what was made.
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

/** Null, and nothing is stored, where somebody's answers or the settings have changed since they were read. */
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
  // Each insured child keeps photos of their own: they are deleted with the application.
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

const isInsuredChild = ({ plan, values }: CheckedTraveller): boolean =>
  plan !== null && isChild(values);

const isSame = (held: readonly Member[], read: readonly Member[]): boolean =>
  held.length === read.length &&
  held.every(({ id, version }, index) => id === read[index]?.id && version === read[index].version);
