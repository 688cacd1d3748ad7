import { savedPage } from '~/features/form/draft/resume.server.ts';
import { SavedView } from '~/features/form/draft/resume-view.tsx';
import { insuranceDrafts } from './store/draft.server.ts';
import type { Route } from './+types/saved.ts';

const page = savedPage(insuranceDrafts, async () => '/insurance');
export const loader = (args: Route.LoaderArgs) => page.load(args);
export const action = (args: Route.ActionArgs) => page.act(args);

function InsuranceSavedPage({ loaderData }: Route.ComponentProps) {
  return <SavedView goOn={loaderData.goOn} />;
}

export { InsuranceSavedPage as default };
