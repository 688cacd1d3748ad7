import { z } from 'zod';
import { refused, ok, type Outcome } from '~/base/outcome.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import { overOf, type CorrectionOver } from './correction-answer.ts';
import { correctionById, type Correction } from './correction-store.server.ts';
import { applicationById, type Application } from '../store.server.ts';

const PURPOSE = 'correction';
const signed = z.object({ correctionId: z.uuid(), emailVersion: z.number() });

/** Where the fields of a kind are corrected. */
const places = { visa: 'application/correct', insurance: 'insurance/correct' } as const;

/** The address for the email. It opens only the reopened fields, until they are answered or the link expires. */
export function correctionAddress(
  { config, signer }: Pick<Platform, 'config' | 'signer'>,
  { id, answerBy }: Correction,
  { kind, language, emailVersion }: Pick<Application, 'kind' | 'language' | 'emailVersion'>,
): string {
  const token = signer.sign({ correctionId: id, emailVersion }, PURPOSE, answerBy);
  return `${config.publicUrl}/${language}/${places[kind]}/${token}`;
}

export type OpenCorrection<Details, Field> = {
  correction: Correction;
  application: Application;
  details: Details;
  fields: Field[];
};

/** What a link opens: the application, the details of its kind, and the fields to correct. */
export async function openCorrectionLink<Details, Field>(
  platform: Platform,
  token: string,
  {
    kind,
    detailsOf,
    correctableOf,
  }: {
    kind: Application['kind'];
    detailsOf: (db: Queryable, sealer: Sealer, applicationId: string) => Promise<Details | null>;
    correctableOf: (names: readonly string[]) => Field[];
  },
): Promise<Outcome<OpenCorrection<Details, Field>, CorrectionOver>> {
  const read = await readLink(platform, token, kind);
  if (!read.ok) return read;
  const { correction, application } = read.value;
  const details = await detailsOf(platform.db, platform.sealer, application.id);
  if (!details) return refused('over');
  return ok({
    correction,
    application,
    details,
    fields: correctableOf(reopenedOf(correction, application)),
  });
}

async function readLink(
  platform: Platform,
  token: string,
  kind: Application['kind'],
): Promise<Outcome<{ correction: Correction; application: Application }, CorrectionOver>> {
  const verified = platform.signer.verify(token, PURPOSE, platform.now());
  const read = signed.safeParse(verified.ok ? verified.payload : null);
  if (!read.success) return refused('over');
  const correction = await correctionById(platform.db, read.data.correctionId);
  const over = overOf(correction);
  if (!correction || over) return refused(over ?? 'over');
  const application = await applicationById(platform.db, correction.applicationId);
  if (application?.kind !== kind || application.decidedAt) return refused('over');
  if (application.emailVersion !== read.data.emailVersion) return refused('over');
  return ok({ correction, application });
}

/** The reopened fields. A single name is stored as both names, so that neither is corrected without the other. */
function reopenedOf({ fields }: Correction, { firstName, lastName }: Application): string[] {
  const both = ['lastName', 'firstName'];
  const isSingle = firstName === lastName && both.some((name) => fields.includes(name));
  return isSingle ? [...new Set([...fields, ...both])] : fields;
}
