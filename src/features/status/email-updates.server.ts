import { z } from 'zod';
import { isLanguage } from '~/base/languages.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { applicationById, type Application } from '../application/store.server.ts';

const PURPOSE = 'email-updates';
const DAY_MS = 24 * 3600_000;
/** Mail programs offer their own button for as long as they show the email. */
const MAIL_MS = 365 * DAY_MS;
/** After the date of birth was given on the status page. */
const PAGE_MS = 60 * 60_000;

const named = z.object({ applicationId: z.uuid(), emailVersion: z.number() });

type Signing = Pick<Platform, 'config' | 'signer' | 'now'>;
type Named = Pick<Application, 'id' | 'emailVersion'>;

function tokenOf(
  { signer, now }: Omit<Signing, 'config'>,
  { id, emailVersion }: Named,
  ms: number,
) {
  const expires = new Date(now().getTime() + ms);
  return signer.sign({ applicationId: id, emailVersion }, PURPOSE, expires);
}

/** The path of the page that turns the emails off and on, for an hour. The caller checks who asks. */
export const emailUpdatesPath = (platform: Omit<Signing, 'config'>, application: Named): string =>
  `/emails/${tokenOf(platform, application, PAGE_MS)}`;

/** The same as an address for an email, in its language; mail programs post to it (RFC 8058). */
export function emailUpdatesAddress(
  platform: Signing,
  application: Named,
  language: string,
): string {
  const tag = isLanguage(language) ? language : 'en';
  return `${platform.config.publicUrl}/${tag}/emails/${tokenOf(platform, application, MAIL_MS)}`;
}

/** The application whose emails a link is about; null where it expired, was forged or went to an earlier address. */
export async function applicationOfEmails(
  { db, signer, now }: Pick<Platform, 'db' | 'signer' | 'now'>,
  token: string,
): Promise<Application | null> {
  const verified = signer.verify(token, PURPOSE, now());
  const read = named.safeParse(verified.ok ? verified.payload : null);
  if (!read.success) return null;
  const application = await applicationById(db, read.data.applicationId);
  return application?.emailVersion === read.data.emailVersion ? application : null;
}
