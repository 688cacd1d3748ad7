import { useTranslation } from '~/ui/texts/texts.tsx';
import { ChangeView } from '~/features/application/change-view.tsx';
import { openChangePage, handleChangeSubmit } from './change-page.server.ts';
import type { Route } from './+types/change.ts';

export const loader = (args: Route.LoaderArgs) => openChangePage(args);
export const action = (args: Route.ActionArgs) => handleChangeSubmit(args);

function ChangePage({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation('insurance');
  return (
    <ChangeView
      view={loaderData}
      words={{ form: 'insurance', number: t('payment.number'), status: t('payment.status') }}
    />
  );
}

export { ChangePage as default };
