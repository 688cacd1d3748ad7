import { removeFilesLater } from '~/platform/files/remove-files.server.ts';
import type { Language } from '~/base/languages.ts';
import type { Money } from '~/base/money.ts';
import { allCountries } from '~/features/catalog/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { storeInsuranceChange } from '../purchase/store-change.server.ts';
import { applyForInsurance, type Applied } from '../purchase/apply.server.ts';
import { closeDraft, endDraftLinks, lockDraft } from '~/features/form/draft/draft.server.ts';
import { photosOfDraft } from './draft-photos.server.ts';
import { deleteSubmittedPhotos, handOverPhotos } from '../store/photo-store.server.ts';
import { answersOf } from '../rules/typed.ts';

export type SubmittedDraft =
  | { kind: 'made'; number: string }
  /** Nothing was stored: an answer is missing or no longer valid, or the price differs from the one shown. */
  | Exclude<Applied, { kind: 'made' }>
  /** The application that was opened again can no longer be changed, or not by this browser; nothing was stored. */
  | { kind: 'unchangeable'; applicationNumber: string }
  | { kind: 'over' };

/** Rolls the transaction back: an application is stored with its photos, or not at all. */
class Refused extends Error {
  readonly why: Exclude<SubmittedDraft, { kind: 'made' }>;
  constructor(why: Exclude<SubmittedDraft, { kind: 'made' }>) {
    super('Not submitted');
    this.why = why;
  }
}

/**
 * Makes an application and its order from a draft, once: the draft is locked meanwhile and remembers the number, so
 * that a second click, a retry and another tab find the same application. A change of an unpaid application is stored
 * under its existing number.
 */
export async function submitDraft(
  platform: Platform,
  draftId: string,
  sent: {
    /** The price that the page showed for the chosen plan; any other is refused. Null where it showed none. */
    shown: Money | null;
    language: Language;
    sessionHash: Buffer;
  },
): Promise<SubmittedDraft> {
  const { sealer } = platform;
  const countries = await allCountries(platform);
  try {
    const made = await platform.db.transaction(async (tx): Promise<SubmittedDraft> => {
      const draft = await lockDraft(tx, platform, draftId);
      if (!draft) return { kind: 'over' };
      if (draft.applicationNumber) return { kind: 'made', number: draft.applicationNumber };
      const { changing } = draft;
      const { language, sessionHash } = sent;
      const photos = await photosOfDraft({ db: tx, sealer }, draft);
      let isOfAge = true;
      const applied = await applyForInsurance(tx, platform, {
        countries,
        answers: answersOf(draft.content.typed),
        total: sent.shown,
        language,
        sessionHash,
        ...(changing !== null && {
          store: async (input, now) => {
            const by = { language, sessionHash, now };
            const stored = await storeInsuranceChange(tx, sealer, changing, input, by);
            if (stored.ok) {
              if (stored.value.hasMoved) await endDraftLinks(tx, draft.id);
              return stored.value;
            }
            throw new Refused({ kind: 'unchangeable', applicationNumber: changing });
          },
        }),
        photos: {
          count: photos.length,
          handOver: async (inner, applicationId) => {
            isOfAge = false;
            await handOverPhotos(inner, draftId, applicationId);
            return [];
          },
        },
      });
      if (applied.kind !== 'made') throw new Refused(applied);
      if (isOfAge) {
        await removeFilesLater(tx, await deleteSubmittedPhotos(tx, applied.submitted.id));
      }
      const number = applied.submitted.applicationNumber;
      await closeDraft(tx, { sealer }, draft, number);
      return { kind: 'made', number };
    });
    return made;
  } catch (error) {
    if (error instanceof Refused) return error.why;
    throw error;
  }
}
