import { redirect } from 'react-router';
import { useTranslation } from 'react-i18next';
import { languageContext, platformContext } from '~/platform/request.server.ts';
import { ButtonLink } from '~/ui/button.tsx';
import { FormActions, NarrowPage, PageHead } from '~/ui/layout.tsx';
import { openDraft } from '../draft.server.ts';
import { LINK_DAYS } from '~/features/draft/link-days.ts';
import { placeOfDraft } from '../wizard/wizard.server.ts';
import type { Route } from './+types/saved.ts';

export async function loader({ request, context }: Route.LoaderArgs) {
  const platform = context.get(platformContext);
  const draft = await openDraft(platform, request);
  if (!draft) throw redirect('/application');
  return { goOn: await placeOfDraft(platform, draft, context.get(languageContext)) };
}

export default function SavedPage({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation('visa');
  return (
    <NarrowPage>
      <title>{`${t('later.sentTitle')} · Lale`}</title>
      <PageHead lead={t('later.sentPlain')} title={t('later.sentTitle')} />
      <p>{t('later.sentOnce', { count: LINK_DAYS })}</p>
      <FormActions>
        <ButtonLink arrow to={loaderData.goOn}>
          {t('later.goOn')}
        </ButtonLink>
      </FormActions>
    </NarrowPage>
  );
}
