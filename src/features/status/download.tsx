import { useTranslation } from '~/ui/texts/texts.tsx';
import { data, redirect } from 'react-router';
import { openByMail } from './download.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import { ButtonLink } from '~/ui/button.tsx';
import { FormActions, NarrowPage, PageHead } from '~/ui/layout.tsx';
import type { Route } from './+types/download.ts';

const noStore = { 'Cache-Control': 'no-store' };

/** The link of an email leads to the file itself; this page is only shown where it did not. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get('token') ?? '';
  const opened = await openByMail(context.get(platformContext), token);
  if (opened.ok) return redirect(`/documents/${opened.value}`, { headers: noStore });
  const isMissing = opened.error === 'no_document';
  return data({ isMissing }, { status: isMissing ? 404 : 410, headers: noStore });
}

function DownloadPage({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation('application');
  const reason = loaderData.isMissing ? 'noDocument' : 'linkOver';
  return (
    <NarrowPage>
      <title>{`${t('download.pageTitle')} · Lale`}</title>
      <PageHead lead={t(`download.${reason}.text`)} title={t(`download.${reason}.title`)} />
      <FormActions>
        <ButtonLink to="/status">{t('download.toStatus')}</ButtonLink>
      </FormActions>
    </NarrowPage>
  );
}

export { DownloadPage as default };
