import { useTranslation } from '~/ui/texts/texts.tsx';
import { data, redirect } from 'react-router';
import { openReceiptByMail } from './receipt/issue-receipt.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import { ButtonLink } from '~/ui/button.tsx';
import { FormActions, NarrowPage, PageHead } from '~/ui/layout.tsx';
import type { Route } from './+types/receipt.ts';

const noStore = { 'Cache-Control': 'no-store' };

/** The link of an email leads to the PDF itself; this page is only shown where it did not. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get('token') ?? '';
  const opened = await openReceiptByMail(context.get(platformContext), token);
  if (opened.ok) return redirect(opened.value, { headers: noStore });
  return data(null, { status: 410, headers: noStore });
}

function ReceiptPage() {
  const { t } = useTranslation('application');
  return (
    <NarrowPage>
      <title>{`${t('download.pageTitle')} · Lale`}</title>
      <PageHead lead={t('download.linkOver.text')} title={t('download.linkOver.title')} />
      <FormActions>
        <ButtonLink to="/status">{t('download.toStatus')}</ButtonLink>
      </FormActions>
    </NarrowPage>
  );
}

export { ReceiptPage as default };
