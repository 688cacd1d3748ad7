import { data, redirect } from 'react-router';
import { z } from 'zod';
import { sameMoney, type Money } from '~/base/money.ts';
import { allCountries } from '~/features/catalog/store.server.ts';
import { ensureSession } from '~/features/order/session.server.ts';
import { hashToken } from '~/platform/crypto.server.ts';
import { readForm } from '~/platform/input/read-form.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { addressContext, languageContext, platformContext } from '~/platform/request.server.ts';
import { SWITCH_LANGUAGE } from '~/ui/answers-form.ts';
import { situationAt } from './apply.server.ts';
import { check, type Problem } from './check.ts';
import { saveDraft } from './draft-store.server.ts';
import { draftCookie, draftToken } from './draft.server.ts';
import type { FormAnswer, PlanMove } from './form-view.ts';
import { limitsOf } from './limits.server.ts';
import { keptPhotos, PLAN_BEFORE, type FormArgs } from './open-form.server.ts';
import { LARGEST_PHOTO_BYTES, MOST_PHOTOS } from './photo-rules.ts';
import { contentHashes, forgetPhotos } from './photo-store.server.ts';
import { storePhotos, tooMany, type Upload } from './photo-upload.server.ts';
import { settlePlan } from './plan-choice.ts';
import { plansOnSale } from './plan-store.server.ts';
import { planNamed } from './plans.ts';
import { priceShown, SHOWN_PRICES } from './shown-prices.ts';
import { submitOnce } from './submit-once.server.ts';
import { answersOf, readTyped, type Typed } from './typed.ts';

/**
 * Keeps what the form sent, whatever it is worth, then does what its button says: removes a photo, shows the plans for the
 * dates, shows itself in another language, or submits. What is wrong keeps the page; nothing that was typed or uploaded is lost.
 */
export async function takeForm(args: FormArgs) {
  const { request, context } = args;
  const platform = context.get(platformContext);
  const form = await readForm(args);
  const pressed = form.get('intent');
  const intent = typeof pressed === 'string' ? pressed : 'pay';
  // Where nothing is on sale nothing is asked, and nothing is to be kept.
  if (intent === SWITCH_LANGUAGE && !form.has('lastName')) return stay(args, '', new Headers());
  const sold = await plansOnSale(platform.db, platform.now());
  const { typed, moved } = settlePlan(readTyped(form), sold);
  const token = await draftToken(platform, request, form.get('key'));
  const headers = new Headers({ 'Set-Cookie': draftCookie(platform, token) });
  const draftId = await platform.db.transaction((tx) =>
    saveDraft(tx, platform.sealer, { tokenHash: hashToken(token), typed, now: platform.now() }),
  );

  if (intent.startsWith('remove:')) {
    await removePhotos(platform, draftId, intent.slice('remove:'.length));
    return stay(args, '#parentIdPhotos', headers);
  }
  const uploads = await uploadsIn(form);
  const wrong = await keepPhotos(platform, context.get(addressContext), draftId, uploads);
  if (wrong.length === 0 && intent === 'quote') {
    return stay(
      args,
      moved ? `?${PLAN_BEFORE}=${moved.from.id}#travelDate` : '#productId',
      headers,
    );
  }
  if (wrong.length === 0 && intent === SWITCH_LANGUAGE) return stay(args, '', headers);
  const written = form.get(SHOWN_PRICES);
  const shown = typeof written === 'string' ? priceShown(written, typed.productId ?? '') : null;
  return submitForm(args, { draftId, typed, moved, shown, wrong, headers });
}

/** The same page again, at the place that the button was about. */
function stay({ request }: FormArgs, place: string, headers: Headers): Response {
  const isSimple = new URL(request.url).pathname.includes('/insurance-simple');
  const page = isSimple ? '/insurance-simple' : '/insurance';
  return redirect(page + place, { status: 303, headers });
}

/** The files that a form brings along. */
export async function uploadsIn(form: FormData): Promise<Upload[]> {
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
  sent: {
    draftId: string;
    typed: Typed;
    moved: PlanMove | null;
    shown: Money | null;
    wrong: readonly Problem[];
    headers: Headers;
  },
) {
  const platform = context.get(platformContext);
  const { draftId, typed, moved, shown, wrong, headers } = sent;
  const answers = answersOf(typed);
  const photos = await contentHashes(platform.db, { draftId });
  const refuse = async (problems: readonly Problem[], due: Money | null) => {
    const isOther = shown !== null && due !== null && !sameMoney(shown, due);
    const answer: FormAnswer = { typed, problems, photos: await keptPhotos(platform, draftId) };
    if (moved) answer.planMoved = moved;
    if (isOther) answer.priceChange = { before: shown, now: due };
    return data<FormAnswer>(answer, { status: problems.length > 0 ? 422 : 409, headers });
  };
  const priceNow = async () => {
    const sold = await plansOnSale(platform.db, platform.now());
    return planNamed(sold, typed.productId ?? '')?.price ?? null;
  };
  const situationWith = async (count: number) =>
    situationAt(platform.db, {
      now: platform.now(),
      countries: await allCountries(platform),
      photos: count,
    });

  // A photo that was refused is one the traveller believes to have sent: it is said together with the rest.
  if (wrong.length > 0) {
    const situation = await situationWith(photos.length + wrong.length);
    const problems = [...check(answers, situation).problems, ...wrong.slice(0, 1)];
    return refuse(problems, await priceNow());
  }

  // Nobody has agreed to another plan's price yet.
  if (moved) {
    const situation = await situationWith(photos.length);
    return refuse(check(answers, situation).problems, await priceNow());
  }

  const session = ensureSession(platform, request);
  const made = await submitOnce(platform, {
    draftId,
    typed,
    shown,
    photos,
    language: context.get(languageContext),
    sessionHash: session.hash,
  });
  if (made.kind === 'wrong_total') return refuse([], made.due);
  if (made.kind === 'invalid') return refuse(made.problems, await priceNow());
  // Left over: a form sent twice, or photos of somebody who is of age.
  await removePhotos(platform, draftId);
  headers.append('Set-Cookie', session.setCookie);
  return redirect(`/insurance/payment?ref=${made.number}`, { status: 303, headers });
}
