import type { Language } from '~/base/languages.ts';
import type { Money } from '~/base/money.ts';
import { allCountries } from '~/features/catalog/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { applyForInsurance, type Applied } from './apply.server.ts';
import { closeDraft, holdDraft } from './draft.server.ts';
import { contentHashes, handOverPhotos } from './photo-store.server.ts';
import { answersOf } from './typed.ts';

export type SubmittedDraft =
  | { kind: 'made'; number: string }
  /** Nothing was stored: an answer is missing, or time has made one wrong; or another amount is due than was shown. */
  | Exclude<Applied, { kind: 'made' }>
  | { kind: 'over' };

/** Undoes the transaction: an application is stored with its photos, or not at all. */
class Refused extends Error {
  readonly why: Exclude<Applied, { kind: 'made' }>;
  constructor(why: Exclude<Applied, { kind: 'made' }>) {
    super('Not submitted');
    this.why = why;
  }
}

/**
 * Makes an application and its order of a draft, once: the draft is held meanwhile and remembers the number, so that a
 * second click, a retry and another tab find the same application.
 */
export async function submitDraft(
  platform: Platform,
  draftId: string,
  sent: {
    /** What the page showed for the chosen plan; anything else that is due is refused. Null where it said nothing. */
    shown: Money | null;
    language: Language;
    sessionHash: Buffer;
  },
): Promise<SubmittedDraft> {
  const { sealer } = platform;
  const countries = await allCountries(platform);
  try {
    return await platform.db.transaction(async (tx): Promise<SubmittedDraft> => {
      const draft = await holdDraft(tx, platform, draftId);
      if (!draft) return { kind: 'over' };
      if (draft.applicationNumber) return { kind: 'made', number: draft.applicationNumber };
      const photos = await contentHashes(tx, { draftId });
      const applied = await applyForInsurance(tx, platform, {
        countries,
        answers: answersOf(draft.content.typed),
        total: sent.shown,
        language: sent.language,
        sessionHash: sent.sessionHash,
        photos: {
          count: photos.length,
          handOver: async (inner, applicationId) => {
            await handOverPhotos(inner, draftId, applicationId);
            return [];
          },
        },
      });
      if (applied.kind !== 'made') throw new Refused(applied);
      const number = applied.submitted.applicationNumber;
      await closeDraft(tx, { sealer }, draft, number);
      return { kind: 'made', number };
    });
  } catch (error) {
    if (error instanceof Refused) return error.why;
    throw error;
  }
}
