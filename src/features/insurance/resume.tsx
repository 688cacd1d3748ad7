import { resumePage } from '~/features/form/draft/resume.server.ts';
import { ResumeView } from '~/features/form/draft/resume-view.tsx';
import { nextPage } from '~/features/form/save-sent.server.ts';
import { insuranceDrafts } from './store/draft.server.ts';
import type { Route } from './+types/resume.ts';

const page = resumePage(insuranceDrafts, async (platform, { applicationNumber: number }) =>
  number === null ? '/insurance' : (await nextPage(insuranceDrafts, platform, number)).url,
);
export const loader = (args: Route.LoaderArgs) => page.load(args);
export const action = (args: Route.ActionArgs) => page.act(args);

function InsuranceResumePage({ loaderData, actionData }: Route.ComponentProps) {
  return <ResumeView answer={actionData} page={loaderData} start="/insurance" />;
}

export { InsuranceResumePage as default };
