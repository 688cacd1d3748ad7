import type { Platform } from '~/platform/platform.server.ts';
import { passkeySite } from './passkey-challenge.server.ts';
import { passkeysOf } from './passkey-store.server.ts';

/**
 * Whether the sign-in page offers passkeys: to everybody whose password would be taken, and after the password to those
 * who have one.
 */
export async function canShowPasskey(
  platform: Platform,
  accountId: string | null,
): Promise<boolean> {
  if (!passkeySite(platform)) return false;
  if (accountId !== null) return (await passkeysOf(platform.db, accountId)).length > 0;
  const { passwordAccounts } = platform.config;
  return passwordAccounts === 'all' || passwordAccounts.length > 0;
}
