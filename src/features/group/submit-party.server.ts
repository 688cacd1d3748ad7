import { sameMoney, type Money } from '~/base/money.ts';
import type { Language } from '~/base/languages.ts';
import {
  amountDue,
  placeOrder,
  type OrderedTraveller,
  type PlacedOrder,
} from '~/features/application/place-order.server.ts';
import { closeDraft } from '~/features/form/draft/draft.server.ts';
import {
  deleteParty,
  lockParty,
  partyMembers,
  type PartyMember,
} from '~/features/form/draft/party.server.ts';
import {
  deleteCollectedPhotos,
  readCollectedPhotos,
} from '~/features/insurance/form/draft-photos.server.ts';
import { orderedInsurance, toInsuranceInput } from '~/features/insurance/purchase/submit.server.ts';
import type { InsuranceProblem } from '~/features/insurance/rules/check.ts';
import { photosByOwner, type Photo } from '~/features/insurance/store/photo-store.server.ts';
import type { Order } from '~/features/order/store.server.ts';
import { invalidateSettings } from '~/features/settings/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { isInsuredChild, type CheckedGroup, type CheckedTraveller } from './check-group.ts';
import { currentParty, type PlansChosen } from './party-now.server.ts';
import type { OnSale } from '~/features/insurance/store/plan-store.server.ts';
import type { Settings } from '~/features/settings/change.ts';
import { toVisaInput, orderedTraveller } from '~/features/visa/purchase/submit.server.ts';
import { visaPricesInForce } from '~/features/visa/store/store.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import {
  PhotoFiles,
  type AdmittedPhotos,
} from '~/features/insurance/purchase/photo-upload.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';

/** Photos of a parent's ID, stored once for each insured child of an order. */
type ChildrenPhotos = {
  /**
   * Inserts the rows of the photos, for the insurances of the children.
   * @throws Error where there are fewer or more of them than copies.
   */
  insert: (tx: Transaction, insuranceIds: readonly string[]) => Promise<void>;
  /** Call it once the rows are committed. */
  keep: () => void;
  /** Call it at the end in any case: removes the files that have no committed row. */
  removeRest: () => Promise<void>;
};

/**
 * Stores the files, a copy for each insured child: a copy is deleted with the child's application. Photos of which one
 * could not be read are not stored.
 * @throws AskedInsideTransaction
 * @throws FilesUnavailable
 */
export async function storeChildPhotos(
  platform: Pick<Platform, 'db' | 'files' | 'sealer' | 'now'>,
  photos: AdmittedPhotos | null,
  children: number,
): Promise<ChildrenPhotos> {
  const copies: PhotoFiles[] = [];
  const removeRest = async () => {
    for (const copy of copies) await copy.removeRest();
  };
  try {
    while (copies.length < children) {
      copies.push(await PhotoFiles.put(platform, photos?.allOrNone ?? []));
    }
  } catch (error) {
    await removeRest();
    throw error;
  }
  return {
    async insert(tx, insuranceIds) {
      if (insuranceIds.length !== copies.length) {
        throw new Error(`Photos for ${copies.length} children, but ${insuranceIds.length} insured`);
      }
      for (const [index, copy] of copies.entries()) {
        const applicationId = insuranceIds[index];
        if (applicationId !== undefined) await copy.insert(tx, { applicationId });
      }
    },
    keep() {
      for (const copy of copies) copy.keep();
    },
    removeRest,
  };
}

/** What checked travellers order, at the prices of these settings and with the plans and terms sold then. */
export function orderedGroup(
  sealer: Sealer,
  travellers: readonly CheckedTraveller[],
  { settings, sold: { plans, terms }, now }: { settings: Settings; sold: OnSale; now: Date },
): OrderedTraveller[] {
  const about = { prices: visaPricesInForce(settings, now), terms };
  return travellers.map((one): OrderedTraveller => {
    if (one.kind === 'insurance') {
      return [orderedInsurance(sealer, toInsuranceInput(one.values, plans), terms)];
    }
    const { values, checkContext, zone, plan } = one;
    return orderedTraveller(sealer, toVisaInput(values, checkContext, zone), plan, about);
  });
}

/** The ids of the insurances of children, in the order of travellers. */
export const childrenInsurances = (
  { travellers }: Pick<CheckedGroup, 'travellers'>,
  { applications }: Pick<PlacedOrder, 'applications'>,
): string[] =>
  applications.flatMap(({ id, kind, travellerPosition }) => {
    const traveller = travellers[travellerPosition - 1];
    return kind === 'insurance' && traveller && isInsuredChild(traveller) ? [id] : [];
  });

type SubmittedParty =
  /** The number is that of the first traveller. */
  | { kind: 'submitted'; applicationNumber: string; order: Order }
  /** Nothing was stored: answers are missing, or wrong in combination with others'. */
  | { kind: 'incomplete' }
  /** Nothing was stored: an insured child needs a photo of a parent's ID, and none has come. */
  | { kind: 'photos'; problems: readonly InsuranceProblem[] }
  /** Nothing was stored: the amount due differs from the one on the page. */
  | { kind: 'wrong_total'; total: Money }
  /** The party was submitted or has expired. */
  | { kind: 'over' };

type PartyToSubmit = {
  partyId: string;
  language: Language;
  sessionHash: Buffer;
  /** The total that the page showed. */
  total: Money | null;
  plans: PlansChosen;
};

/** Retries when travellers or settings change while they are being stored. */
const MAX_TRIES = 20;

/**
 * Makes the applications and the one order of a party, all or none, once: the party is locked while it is stored, and
 * each draft remembers its number, so that a second click or another tab finds the same order.
 */
export async function submitParty(
  platform: Platform,
  toSubmit: PartyToSubmit,
): Promise<SubmittedParty> {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
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
  const photos = await photosByOwner(db, sealer, { draftId: partyId });
  const { checked, now, settings, sold } = await currentParty(platform, members, plans, {
    language,
    photos: photos.length,
  });
  const missing = checked.problems.filter(({ place }) => place !== 'parentIdPhotos');
  if (missing.length > 0) return { kind: 'incomplete' };
  const problems = checked.problems.map((): InsuranceProblem => ({
    field: 'parentIdPhotos',
    code: 'required',
  }));
  if (problems.length > 0) return { kind: 'photos', problems };

  const ordered = orderedGroup(sealer, checked.travellers, { settings, sold, now });
  const due = amountDue(ordered);
  if (!total || !sameMoney(total, due)) return { kind: 'wrong_total', total: due };
  const children = checked.travellers.filter(isInsuredChild).length;
  const read = children > 0 ? await readCollectedPhotos(platform, partyId) : null;
  const childrenPhotos = await storeChildPhotos(platform, read, children);
  try {
    const placed = await db.transaction(async (tx) => {
      const held = await lockParty(tx, platform, partyId);
      const photosNow = await photosByOwner(tx, sealer, { draftId: partyId });
      if (!isSame(held, members) || !isSamePhotos(photosNow, photos)) return null;
      const stored = await placeOrder(tx, ordered, { language, sessionHash, now, settings });
      if (!stored) return null;
      await childrenPhotos.insert(tx, childrenInsurances(checked, stored));
      for (const [index, member] of held.entries()) {
        const own = stored.applications.find((one) => one.travellerPosition === index + 1);
        if (!own) throw new Error('A traveller without an application');
        await closeDraft(tx, platform, member, own.number);
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

const isSame = (held: readonly PartyMember[], read: readonly PartyMember[]): boolean =>
  held.length === read.length &&
  held.every(({ id, version }, index) => id === read[index]?.id && version === read[index].version);

const isSamePhotos = (now: readonly Photo[], read: readonly Photo[]): boolean =>
  now.length === read.length && now.every(({ id }, index) => id === read[index]?.id);
