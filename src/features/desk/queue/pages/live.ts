import { data } from 'react-router';
import type { LiveOutcome } from '~/features/desk/live/live-state.ts';
import { liveAnswer } from '~/features/desk/live/live.server.ts';
import { requireWatchingStaff } from '~/features/staff/require.server.ts';
import { PRIVATE_PAGE } from '~/platform/http/private-page.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import type { Route } from './+types/live.ts';

/** What open pages of the desk ask for by themselves. It does not keep anybody signed in. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const staff = await requireWatchingStaff({ request, context });
  const query = new URL(request.url).searchParams;
  const platform = context.get(platformContext);
  const answer = await liveAnswer(platform, staff, query, context.get(languageContext));
  return data(answer, { headers: PRIVATE_PAGE });
}

/** An error becomes an answer: a page that only refreshed itself must not be replaced by an error page. */
export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs): Promise<LiveOutcome> {
  try {
    return { kind: 'answer', answer: await serverLoader() };
  } catch (error) {
    // Whoever is signed out is led to the way in.
    return { kind: error instanceof Response ? 'signed_out' : 'failed' };
  }
}

/** It is asked by the clock alone, not after each form. */
export const shouldRevalidate = () => false;
