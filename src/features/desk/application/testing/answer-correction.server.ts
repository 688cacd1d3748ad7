import { correctionAddress } from '~/features/application/reopened.server.ts';
import { applicationById } from '~/features/application/store.server.ts';
import { correct } from '~/features/status/correct.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { applicationCorrections } from '../../../../../test/make.ts';

/** The traveller of a visa application answers the open correction, by the link in the email. */
export async function answerCorrection(
  platform: Platform,
  applicationId: string,
  answers: Record<string, string>,
): Promise<void> {
  const [correction] = await applicationCorrections(platform.db, applicationId);
  const found = await applicationById(platform.db, applicationId);
  if (!correction || !found) throw new Error('Nothing was asked');
  const path = new URL(correctionAddress(platform, correction, found)).pathname;
  const form = new FormData();
  for (const [name, value] of Object.entries(answers)) form.set(name, value);
  const answer = await correct(platform, path.split('/').at(-1) ?? '', form);
  if (answer.kind !== 'done') throw new Error(`Not corrected: ${answer.kind}`);
}
