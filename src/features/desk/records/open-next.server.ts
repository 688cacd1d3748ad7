import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { claimNext } from './claim.server.ts';

/** The query of the list that opens beside the next application: all open ones of its kind. */
export const nextList = (kind: 'visa' | 'insurance'): string =>
  kind === 'insurance' ? '?tab=insurance&show=open' : '?show=open';

/** Claims the most urgent application that is free and returns its address; of the list of open ones where none is. */
export async function claimNextAddress(
  platform: Pick<Platform, 'db' | 'now'>,
  staff: Staff,
  wanted: { kind: 'visa' | 'insurance'; not: string | null },
): Promise<string> {
  const number = await claimNext(platform, staff, wanted);
  const list = nextList(wanted.kind);
  return number === null
    ? `/admin${list}&none`
    : `/admin/applications/${number}${list}#application`;
}
