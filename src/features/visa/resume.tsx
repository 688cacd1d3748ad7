import { resumePage } from '~/features/form/draft/resume.server.ts';
import { ResumeView } from '~/features/form/draft/resume-view.tsx';
import { visaDrafts } from './store/draft.server.ts';
import { draftPage } from './wizard/wizard.server.ts';
import type { Route } from './+types/resume.ts';

const page = resumePage(visaDrafts, draftPage);
export const loader = (args: Route.LoaderArgs) => page.load(args);
export const action = (args: Route.ActionArgs) => page.act(args);

function ResumePage({ loaderData, actionData }: Route.ComponentProps) {
  return <ResumeView answer={actionData} page={loaderData} start="/application" />;
}

export { ResumePage as default };
