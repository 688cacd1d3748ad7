import { z } from 'zod';
import { MAIL_LINK_DAYS } from '~/features/order/receipt/receipt-link.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { applicationById, type Application } from '~/features/application/store.server.ts';

const LINK_MS = MAIL_LINK_DAYS * 24 * 3600_000;
const PURPOSE = 'application-copy';
const named = z.object({ applicationId: z.uuid(), emailVersion: z.number() });

/** The address of an application's copy, for an email to it alone; it works for seven days. */
export function copyAddress(
  { config, signer, now }: Pick<Platform, 'config' | 'signer' | 'now'>,
  {
    id: applicationId,
    emailVersion,
    language,
  }: Pick<Application, 'id' | 'emailVersion' | 'language'>,
): string {
  const expires = new Date(now().getTime() + LINK_MS);
  const token = signer.sign({ applicationId, emailVersion }, PURPOSE, expires);
  return `${config.publicUrl}/${language}/copies/${token}`;
}

/** The application whose copy an address opens; null for an expired or forged one, or one sent to an earlier address. */
export async function applicationOfCopyToken(
  { db, signer, now }: Pick<Platform, 'db' | 'signer' | 'now'>,
  token: string,
): Promise<Application | null> {
  const verified = signer.verify(token, PURPOSE, now());
  const parsed = named.safeParse(verified.ok ? verified.payload : null);
  if (!parsed.success) return null;
  const application = await applicationById(db, parsed.data.applicationId);
  return application?.emailVersion === parsed.data.emailVersion ? application : null;
}
