import { z } from 'zod';
import { refused, ok, type Outcome } from '~/base/outcome.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { answerBy } from './correction.ts';
import { correctionById, type Correction } from './correction-store.server.ts';
import { applicationById, type Application } from './store.server.ts';

const PURPOSE = 'correction';
const signed = z.object({ correctionId: z.uuid() });

/** Where the fields of a kind are corrected. */
const places = { visa: 'application/correct', insurance: 'insurance/correct' } as const;

/** The address for the e-mail: it opens only the reopened fields, until they are answered or the time is over. */
export function correctionAddress(
  { config, signer }: Pick<Platform, 'config' | 'signer'>,
  { id, askedAt }: Correction,
  { kind, language }: Pick<Application, 'kind' | 'language'>,
): string {
  const token = signer.sign({ correctionId: id }, PURPOSE, answerBy(askedAt));
  return `${config.publicUrl}/${language}/${places[kind]}/${token}`;
}

/** answered: by an earlier answer. over: the link, the request or the application is. */
export type CorrectionOver = 'answered' | 'over';

/** What a link opens, for an application of one kind. */
export async function readCorrectionLink(
  platform: Platform,
  token: string,
  kind: Application['kind'],
): Promise<Outcome<{ correction: Correction; application: Application }, CorrectionOver>> {
  const verified = platform.signer.verify(token, PURPOSE, platform.now());
  const read = signed.safeParse(verified.ok ? verified.payload : null);
  if (!read.success) return refused('over');
  const correction = await correctionById(platform.db, read.data.correctionId);
  if (correction?.answeredAt) return refused('answered');
  if (!correction || correction.closedAt) return refused('over');
  const application = await applicationById(platform.db, correction.applicationId);
  if (application?.kind !== kind || application.decidedAt) return refused('over');
  return ok({ correction, application });
}
