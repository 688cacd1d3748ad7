import { data } from 'react-router';
import type { LiveOutcome } from './live-state.ts';
import { liveAnswer } from './live.server.ts';
import { requireWatchingStaff } from '~/features/staff/require.server.ts';
import { PRIVATE_PAGE } from '~/platform/http/private-page.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import type { Route } from './+types/live.ts';

/** Requested regularly by open pages of the desk. It does not extend the session. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const staff = await requireWatchingStaff({ request, context });
  const query = new URL(request.url).searchParams;
  const platform = context.get(platformContext);
  const answer = await liveAnswer(platform, staff, query, context.get(languageContext));
  return data(answer, { headers: PRIVATE_PAGE });
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
