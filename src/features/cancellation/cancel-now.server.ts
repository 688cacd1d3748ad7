import type { QuoteCancelNow } from '~/features/application/self-service/cancel-now.server.ts';
import { cancelView } from './cancel-view.server.ts';

/** What the status page says of cancelling; the same as the page that cancels. */
export const quoteCancelNow: QuoteCancelNow = async (platform, number, sessionHash) => {
  const asked = { ref: number, applications: [number], isChosen: false, done: null };
  const view = await cancelView(platform, asked, sessionHash);
  if (view?.kind !== 'quote') return null;
  const { total, holdsUntil, isWhilePending } = view;
  return { total, holdsUntil, isWhilePending };
};
