import { useTranslation } from '~/ui/texts/texts.tsx';
import { ChangeView } from '~/features/application/change-view.tsx';
import { openChangePage, handleChangeSubmit } from './change-page.server.ts';
import type { Route } from './+types/change.ts';

export const loader = (args: Route.LoaderArgs) => openChangePage(args);
export const action = (args: Route.ActionArgs) => handleChangeSubmit(args);

function ChangePage({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation('visa');
  return (
    <ChangeView
      view={loaderData}
      words={{ form: 'visa', number: t('submitted.number'), status: t('submitted.status') }}
    />
  );
}

export { ChangePage as default };
