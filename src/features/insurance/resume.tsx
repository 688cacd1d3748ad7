import { resumePage } from '~/features/form/draft/resume-page.server.ts';
import { ResumeView } from '~/features/form/draft/resume-view.tsx';
import { nextPageOfDraft } from './form/submitted.server.ts';
import { insuranceLinks } from './store/draft.server.ts';
import type { Route } from './+types/resume.ts';

const page = resumePage(
  insuranceLinks,
  async (platform, draft) => (await nextPageOfDraft(platform, draft))?.url ?? '/insurance',
);
export const loader = (args: Route.LoaderArgs) => page.load(args);
export const action = (args: Route.ActionArgs) => page.act(args);

function InsuranceResumePage({ loaderData, actionData }: Route.ComponentProps) {
  return <ResumeView answer={actionData} page={loaderData} start="/insurance" />;
}

export { InsuranceResumePage as default };
