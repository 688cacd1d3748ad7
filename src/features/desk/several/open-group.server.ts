import type { Language } from '~/base/languages.ts';
import type { Order } from '~/features/order/store.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { markOf } from '../application/mark.server.ts';
import { describeGroup, type GroupView } from './group-view.server.ts';

/** The travellers of an order side by side, and a hash that changes with anything that others do there. */
export type OpenGroup = { orderNumber: string; view: GroupView; mark: string };

/**
 * Loads the travellers of an order for one of the staff; null where it is one person's. They are personal: the caller
 * records the views in the audit trail.
 */
export async function openGroup(
  platform: Platform,
  staff: Staff,
  order: Order,
  language: Language,
): Promise<OpenGroup | null> {
  const view = await describeGroup(platform, staff, order, language);
  if (!view) return null;
  // Every action extends a claim: until when it lasts is no news.
  const known = view.travellers.map(({ holder, ...rest }) => ({
    ...rest,
    holder: holder?.name ?? null,
  }));
  return { orderNumber: order.number, view, mark: markOf(known) };
}
