import { redirect } from 'react-router';
import { SavedView } from '~/features/form/draft/saved-view.tsx';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { openDraft } from '../store/draft.server.ts';
import { placeOfDraft } from '../wizard/wizard.server.ts';
import type { Route } from './+types/saved.ts';

export async function loader({ request, context }: Route.LoaderArgs) {
  const platform = context.get(platformContext);
  const draft = await openDraft(platform, request);
  if (!draft) throw redirect('/application');
  return { goOn: await placeOfDraft(platform, draft, context.get(languageContext)) };
}

function SavedPage({ loaderData }: Route.ComponentProps) {
  return <SavedView goOn={loaderData.goOn} />;
}

export { SavedPage as default };
