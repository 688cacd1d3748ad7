import { redirect } from 'react-router';
import { SavedView } from '~/features/form/draft/saved-view.tsx';
import { platformContext } from '~/platform/http/request.server.ts';
import { openDraft } from '../store/draft.server.ts';
import type { Route } from './+types/saved.ts';

export async function loader({ request, context }: Route.LoaderArgs) {
  if (!(await openDraft(context.get(platformContext), request))) throw redirect('/insurance');
  return null;
}

function InsuranceSavedPage() {
  return <SavedView goOn="/insurance" />;
}

export { InsuranceSavedPage as default };
