import { data, redirect } from 'react-router';
import { ensureSession } from '~/features/order/session.server.ts';
import { hashToken } from '~/platform/crypto.server.ts';
import { hashRequest, once } from '~/platform/idempotency.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { addressContext, languageContext, platformContext } from '~/platform/request.server.ts';
import { z } from 'zod';
import { applyForInsurance, situationNow } from './apply.server.ts';
import { check, type Problem } from './check.ts';
import { closeDraft, saveDraft } from './draft-store.server.ts';
import { draftCookie, draftToken } from './draft.server.ts';
import type { FormAnswer } from './form-view.ts';
import { limitsOf } from './limits.server.ts';
import { keptPhotos, type FormArgs } from './open-form.server.ts';
import { LARGEST_PHOTO_BYTES, MOST_PHOTOS } from './photo-rules.ts';
import { contentHashes, forgetPhotos, handOverPhotos } from './photo-store.server.ts';
import { storePhotos, tooMany, type Upload } from './photo-upload.server.ts';
import { answersOf, readTyped, type Typed } from './typed.ts';

/**
 * Keeps what the form sent, whatever it is worth, then does what its button says: removes a photo, shows the plans for the
 * dates, or submits. What is wrong keeps the page; nothing that was typed or uploaded is lost.
 */
export async function takeForm(args: FormArgs) {
  const { request, context } = args;
  const platform = context.get(platformContext);
  const form = await request.formData();
  const typed = readTyped(form);
  const token = draftToken(request, form.get('key'));
  const headers = new Headers({ 'Set-Cookie': draftCookie(platform, token) });
  const draftId = await platform.db.transaction((tx) =>
    saveDraft(tx, platform.sealer, { tokenHash: hashToken(token), typed, now: platform.now() }),
  );

  const intent = String(form.get('intent') ?? 'pay');
  if (intent.startsWith('remove:')) {
    await removePhotos(platform, draftId, intent.slice('remove:'.length));
    return stay(args, '#parentIdPhotos', headers);
  }
  const uploads = await uploadsIn(form);
  const wrong = await keepPhotos(platform, context.get(addressContext), draftId, uploads);
  if (intent === 'quote' && wrong.length === 0) return stay(args, '#productId', headers);
  return submitForm(args, { draftId, typed, wrong, headers });
}

/** The same page again, at the place that the button was about. */
function stay({ request }: FormArgs, place: string, headers: Headers): Response {
  const isSimple = new URL(request.url).pathname.includes('/insurance-simple');
  const page = isSimple ? '/insurance-simple' : '/insurance';
  return redirect(page + place, { status: 303, headers });
}

async function uploadsIn(form: FormData): Promise<Upload[]> {
  const files = form
    .getAll('parentIdPhotos')
    // A chooser that was left empty sends a file without a name.
    .filter((file) => file instanceof File && (file.name !== '' || file.size > 0));
  return Promise.all(
    files.map(async (file) => {
      if (!(file instanceof File)) return { name: '', bytes: null };
      const isTooLarge = file.size > LARGEST_PHOTO_BYTES;
      const bytes = isTooLarge ? null : new Uint8Array(await file.arrayBuffer());
      return { name: file.name, bytes };
    }),
  );
}

/** Adds the uploads that are photos to the draft; answers what is wrong with the others. */
async function keepPhotos(
  platform: Platform,
  address: string,
  draftId: string,
  uploads: readonly Upload[],
): Promise<readonly Problem[]> {
  if (uploads.length === 0) return [];
  if (uploads.length > MOST_PHOTOS) return [tooMany()];
  const { allowed } = await limitsOf(platform).photos.consume(address, uploads.length);
  if (!allowed) return [{ field: 'parentIdPhotos', code: 'too_often' }];
  const { problems } = await storePhotos(platform.db, platform, { draftId }, uploads);
  const kept = await keptPhotos(platform, draftId);
  for (const { id } of kept.slice(MOST_PHOTOS)) await removePhotos(platform, draftId, id);
  return kept.length > MOST_PHOTOS ? [...problems, tooMany()] : problems;
}

async function removePhotos(platform: Platform, draftId: string, photoId?: string) {
  if (photoId !== undefined && !z.uuid().safeParse(photoId).success) return;
  const gone = await forgetPhotos(platform.db, draftId, photoId);
  for (const id of gone) await platform.files.remove(id);
}

async function submitForm(
  { request, context }: FormArgs,
  sent: { draftId: string; typed: Typed; wrong: readonly Problem[]; headers: Headers },
) {
  const platform = context.get(platformContext);
  const { draftId, typed, wrong, headers } = sent;
  const answers = answersOf(typed);
  const photos = await contentHashes(platform.db, { draftId });
  const refuse = async (problems: readonly Problem[]) =>
    data<FormAnswer>(
      { typed, problems, photos: await keptPhotos(platform, draftId) },
      { status: 422, headers },
    );

  // A photo that was refused is one the traveller believes to have sent: it is said together with the rest.
  if (wrong.length > 0) {
    const situation = await situationNow(platform, platform.db, photos.length + wrong.length);
    return refuse([...check(answers, situation).problems, ...wrong.slice(0, 1)]);
  }

  const secure = platform.config.publicUrl.startsWith('https:');
  const session = ensureSession(request, { secure });
  const made = await submitOnce(platform, {
    draftId,
    typed,
    photos,
    language: context.get(languageContext),
    sessionHash: session.hash,
  });
  if (made.problems) return refuse(made.problems);
  // Left over: a form sent twice, or photos of somebody who is of age.
  await removePhotos(platform, draftId);
  if (session.setCookie) headers.append('Set-Cookie', session.setCookie);
  return redirect(`/insurance/payment?ref=${made.number}`, { status: 303, headers });
}

const answered = z.object({ number: z.string().optional() });

/** The same form sent twice makes one application; a form that was changed is another one. */
async function submitOnce(
  platform: Platform,
  {
    draftId,
    typed,
    photos,
    language,
    sessionHash,
  }: {
    draftId: string;
    typed: Typed;
    photos: readonly string[];
    language: Parameters<typeof applyForInsurance>[2]['language'];
    sessionHash: Buffer;
  },
): Promise<{ number: string; problems?: undefined } | { problems: readonly Problem[] }> {
  const { sealer } = platform;
  let problems: readonly Problem[] = [];
  const requestHash = hashRequest(sealer, typed);
  const key = `${draftId}:${requestHash.toString('hex')}`;
  const request = { scope: 'insurance form', key, requestHash, sealer, now: platform.now() };
  const done = await once(platform.db, request, async (tx) => {
    const applied = await applyForInsurance(tx, platform, {
      answers: answersOf(typed),
      total: null,
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
      problems = applied.kind === 'invalid' ? applied.problems : [];
      return { status: 422 };
    }
    const number = applied.submitted.applicationNumber;
    await closeDraft(tx, sealer, { id: draftId, applicationNumber: number });
    return { status: 201, body: { number } };
  });
  if (done.kind === 'key_reused') throw new Error('One key, two forms: it holds the form itself');
  const { number } = answered.parse(done.answer.body ?? {});
  if (number === undefined) return { problems };
  // Sent twice: the second time has kept its answers again.
  if (done.replayed) {
    await closeDraft(platform.db, sealer, { id: draftId, applicationNumber: number });
  }
  return { number };
}
