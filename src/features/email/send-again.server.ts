import { letterById, markLetterFailed } from '~/features/application/email-store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { readKept, renewed } from './stored-letter.server.ts';
import { isApplicationNotice, occasions } from './templates/occasions.server.ts';
import { sendOnce } from './send.server.ts';

/**
 * Sends an e-mail about an application again, or tries one again that failed. It says what it said then, with links
 * that are valid anew; where that was not kept, what there is to say now. What is over by now is not sent.
 */
export async function sendAgain(platform: Platform, letterId: string): Promise<void> {
  const { db, sealer } = platform;
  const found = await letterById(db, sealer, letterId);
  // Forgotten, or sent, between the wish and its turn in the queue.
  if (!found || found.letter.sentAt || !isApplicationNotice(found.letter.kind)) return;
  const { id, kind, about, resentFrom } = found.letter;
  const original = resentFrom ? await letterById(db, sealer, resentFrom) : found;
  const now = await occasions[kind](platform, about);
  if (!now) {
    await markLetterFailed(db, id, { at: platform.now(), failure: 'over' });
    return;
  }
  const kept = readKept(original?.letter.content?.letter);
  const { applicationIds } = found;
  const { language } = now;
  const again = resentFrom ? { again: id } : {};
  const occasion = { kind, subject: about, language, applicationIds, ...again };
  await sendOnce(platform, occasion, async () => {
    const { to, letter } = await now.write();
    return { to, letter: kept ? renewed(kept, letter) : letter };
  });
}
