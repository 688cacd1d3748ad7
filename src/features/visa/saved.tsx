import { savedPage } from '~/features/form/draft/resume.server.ts';
import { SavedView } from '~/features/form/draft/resume-view.tsx';
import { visaDrafts } from './store/draft.server.ts';
import { draftPage } from './wizard/wizard.server.ts';
import type { Route } from './+types/saved.ts';

const page = savedPage(visaDrafts, draftPage);
export const loader = (args: Route.LoaderArgs) => page.load(args);
export const action = (args: Route.ActionArgs) => page.act(args);

function SavedPage({ loaderData }: Route.ComponentProps) {
  return <SavedView goOn={loaderData.goOn} />;
}

export { SavedPage as default };
