import { z } from 'zod';
import type { Language } from '~/base/languages.ts';
import type { Money } from '~/base/money.ts';
import { allCountries } from '~/features/catalog/store.server.ts';
import { hashRequest, once } from '~/platform/idempotency.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { applyForInsurance, type Applied } from './apply.server.ts';
import { closeDraft } from './draft-store.server.ts';
import { handOverPhotos } from './photo-store.server.ts';
import { answersOf, type Typed } from './typed.ts';

const answered = z.object({ number: z.string().optional() });

/** The same form sent twice makes one application; a form that was changed is another one. */
export async function submitOnce(
  platform: Platform,
  {
    draftId,
    typed,
    shown,
    photos,
    language,
    sessionHash,
  }: {
    draftId: string;
    typed: Typed;
    /** What the page showed for the chosen plan; anything else that is due is refused. Null where it said nothing. */
    shown: Money | null;
    photos: readonly string[];
    language: Language;
    sessionHash: Buffer;
  },
): Promise<{ kind: 'made'; number: string } | Exclude<Applied, { kind: 'made' }>> {
  const { sealer } = platform;
  let refusal: Exclude<Applied, { kind: 'made' }> = { kind: 'invalid', problems: [] };
  const requestHash = hashRequest(sealer, typed);
  const key = `${draftId}:${requestHash.toString('hex')}`;
  const request = { scope: 'insurance form', key, requestHash, sealer, now: platform.now() };
  const countries = await allCountries(platform);
  const done = await once(platform.db, request, async (tx) => {
    const applied = await applyForInsurance(tx, platform, {
      countries,
      answers: answersOf(typed),
      total: shown,
      language,
      sessionHash,
      photos: {
        count: photos.length,
        handOver: async (inner, applicationId) => {
          await handOverPhotos(inner, draftId, applicationId);
          return [];
        },
      },
    });
    if (applied.kind !== 'made') {
      refusal = applied;
      return { status: 422 };
    }
    const number = applied.submitted.applicationNumber;
    await closeDraft(tx, sealer, { id: draftId, applicationNumber: number });
    return { status: 201, body: { number } };
  });
  if (done.kind === 'key_reused') throw new Error('One key, two forms: it holds the form itself');
  const { number } = answered.parse(done.answer.body ?? {});
  if (number === undefined) return refusal;
  // Sent twice: the second time has kept its answers again.
  if (done.replayed) {
    await closeDraft(platform.db, sealer, { id: draftId, applicationNumber: number });
  }
  return { kind: 'made', number };
}
