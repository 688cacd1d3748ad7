import { z } from 'zod';
import type { Platform } from '~/platform/platform.server.ts';
import { applicationById, type Application } from '../store.server.ts';

/** As long as the link to a document. */
const LINK_MS = 10 * 60_000;
const PURPOSE = 'application-copy';
const named = z.object({ applicationId: z.uuid() });

/** The path of an application's copy, for ten minutes. The caller checks that the reader may see it. */
export function copyPath({ signer, now }: Pick<Platform, 'signer' | 'now'>, id: string): string {
  const expires = new Date(now().getTime() + LINK_MS);
  return `/copies/${signer.sign({ applicationId: id }, PURPOSE, expires)}`;
}

/** The application whose copy a path opens; null for an expired or forged one. */
export async function applicationOfCopyToken(
  { db, signer, now }: Pick<Platform, 'db' | 'signer' | 'now'>,
  token: string,
): Promise<Application | null> {
  const verified = signer.verify(token, PURPOSE, now());
  const parsed = named.safeParse(verified.ok ? verified.payload : null);
  return parsed.success ? applicationById(db, parsed.data.applicationId) : null;
}
