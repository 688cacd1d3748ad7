import type { LiveAnswer, LiveOutcome } from './live-state.ts';
import { requireWatchingStaff } from '~/features/staff/require.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import type { Route } from './+types/live.ts';
import type { Language } from '~/base/languages.ts';
import { readNumber } from '~/features/application/number.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { auditViews } from '~/features/staff/audit.server.ts';
import type { SessionEnd } from '~/features/staff/session.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { findApplication } from '../application/detail.server.ts';
import { deskSignals } from './signals.server.ts';
import { auditOpened, openCase } from '../application/open-case.server.ts';
import { openGroup, type OpenGroup } from '../several/open-group.server.ts';
import { readListQuery } from '../queue/open-search.server.ts';
import { openQueue } from '../queue/queue.server.ts';

/** Requested regularly by open pages of the desk. It does not extend the session. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const staff = await requireWatchingStaff({ request, context });
  const query = new URL(request.url).searchParams;
  const platform = context.get(platformContext);
  return liveAnswer(platform, staff, query, context.get(languageContext));
}

/** Returns errors as data: a page that refreshes automatically must not be replaced by an error page. */
export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs): Promise<LiveOutcome> {
  try {
    return { kind: 'answer', answer: await serverLoader() };
  } catch (error) {
    // Without a session the loader redirects to the sign-in page.
    return { kind: error instanceof Response ? 'signed_out' : 'failed' };
  }
}

/** Requested by a timer alone, not after each form. */
export const shouldRevalidate = () => false;

/**
 * What an open page of the desk shows by now. `query`: the list's address, with `queue` where the list is shown; `number`,
 * that of the open application, or `order`, that of the open order; and `mark`, of what the page shows of it. Counts and
 * list are always sent; an application or the travellers of an order only where they have changed, and only then are their
 * views recorded in the audit trail.
 */
async function liveAnswer(
  platform: Platform,
  staff: Staff & { sessionEnd: SessionEnd },
  query: URLSearchParams,
  language: Language,
): Promise<LiveAnswer> {
  const at = platform.now();
  const number = query.get('number');
  const shown = async () => {
    const found = number === null ? null : await findApplication(platform.db, number);
    return found && openCase(platform, staff, found, language);
  };
  const [signals, queue, opened, group] = await Promise.all([
    deskSignals(platform.db, staff, platform.now()),
    query.has('queue') ? openQueue(platform, staff, readListQuery(platform, query).filter) : null,
    shown(),
    groupAt(platform, staff, query.get('order'), language),
  ]);
  const isNew = opened !== null && opened.mark !== query.get('mark');
  const isNewGroup = group !== null && group.mark !== query.get('mark');
  if (isNew) await auditOpened(platform, staff, opened);
  if (isNewGroup) await auditViews(platform.db, staff, group.view.ids, at);
  return {
    at: at.getTime(),
    sessionEnd: staff.sessionEnd,
    signals,
    queue,
    opened: isNew ? opened : null,
    group: isNewGroup ? group : null,
  };
}

async function groupAt(
  platform: Platform,
  staff: Staff,
  typed: string | null,
  language: Language,
): Promise<OpenGroup | null> {
  const read = readNumber(typed ?? '');
  const order = read.ok ? await orderByNumber(platform.db, read.number) : null;
  return order && openGroup(platform, staff, order, language);
}
