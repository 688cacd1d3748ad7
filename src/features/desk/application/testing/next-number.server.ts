import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { readFilter } from '../../queue/list-filter.ts';
import { claimNext } from '../../queue/next.server.ts';

/** Takes the next application of a list, named by its query, and returns its number; or why there is none. */
export async function nextNumber(
  platform: Pick<Platform, 'db' | 'now'>,
  staff: Pick<Staff, 'id'>,
  query = '',
  wanted: { not?: string | null; again?: boolean } = {},
): Promise<string> {
  const read = new URLSearchParams(query);
  const list = readFilter(read, read.get('tab') === 'insurance' ? 'insurance' : 'visa', null);
  const next = await claimNext(platform, staff, { list, not: null, ...wanted });
  return typeof next === 'string' ? next : next.number;
}
