import { removeFilesLater } from '~/platform/files/files.server.ts';
import type { Language } from '~/base/languages.ts';
import type { Money } from '~/base/money.ts';
import { applyChange } from '~/features/application/reopened.server.ts';
import { allCountries } from '~/features/catalog/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { checkInsurance, type CheckedInsurance } from '../purchase/check-insurance.server.ts';
import { placeInsurance, replaceAnswers } from '../purchase/submit.server.ts';
import { closeDraft, endDraftLinks, lockDraft } from '~/features/form/draft/draft.server.ts';
import { formPhotos } from './draft-photos.server.ts';
import { deleteSubmittedPhotos, handOverPhotos } from '../store/photo-store.server.ts';
import { lockInsurances } from '../store/store.server.ts';
import { readInsuranceAnswers } from '../rules/typed.ts';

export type SubmittedDraft =
  | { kind: 'made'; number: string }
  /** Nothing was stored: an answer is missing or no longer valid, or the price differs from the one shown. */
  | Exclude<CheckedInsurance, { kind: 'valid' }>
  /** The application that was opened again can no longer be changed, or not by this browser; nothing was stored. */
  | { kind: 'unchangeable'; applicationNumber: string }
  | { kind: 'over' };

/**
 * Makes an application and its order from a draft, once: the draft is locked meanwhile and remembers the number, so
 * that a second click, a retry and another tab find the same application. A change of an unpaid application is stored
 * under its existing number.
 */
export async function submitDraft(
  platform: Platform,
  draftId: string,
  {
    shown,
    language,
    sessionHash,
  }: {
    /** The price that the page showed for the chosen plan; any other is refused. Null where it showed none. */
    shown: Money | null;
    language: Language;
    sessionHash: Buffer;
  },
): Promise<SubmittedDraft> {
  const { sealer } = platform;
  const countries = await allCountries(platform);
  return platform.db.transaction(async (tx): Promise<SubmittedDraft> => {
    const draft = await lockDraft(tx, platform, draftId);
    if (!draft) return { kind: 'over' };
    if (draft.applicationNumber) return { kind: 'made', number: draft.applicationNumber };
    const photos = await formPhotos({ db: tx, sealer }, draft);
    const checked = await checkInsurance(tx, platform, {
      countries,
      answers: readInsuranceAnswers(draft.content.typed),
      total: shown,
      photos: photos.length,
    });
    if (checked.kind !== 'valid') return checked;
    const { input, now } = checked;
    const by = { language, sessionHash, now };
    let made: { id: string; number: string };
    if (draft.changing === null) {
      [made] = (await placeInsurance(tx, sealer, input, by)).applications;
    } else {
      const number = draft.changing;
      const changed = await applyChange(tx, {
        ...by,
        number,
        person: input.traveller,
        lockInsurances,
        store: async ({ id }) => ({
          lines: await replaceAnswers(tx, sealer, id, input, by),
          numbers: [number],
        }),
      });
      if (!changed.ok) return { kind: 'unchangeable', applicationNumber: number };
      if (changed.value.hasMoved) await endDraftLinks(tx, draft.id);
      made = { id: changed.value.id, number };
    }
    if (checked.isMinor) await handOverPhotos(tx, draftId, made.id);
    else await removeFilesLater(tx, await deleteSubmittedPhotos(tx, made.id));
    await closeDraft(tx, platform, draft, made.number);
    return { kind: 'made', number: made.number };
  });
}
