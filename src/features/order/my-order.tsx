import { useTranslation } from '~/ui/texts/texts.tsx';
import { data, redirect } from 'react-router';
import { platformContext } from '~/platform/http/request.server.ts';
import { ButtonLink } from '~/ui/button.tsx';
import { cookieHeader } from '~/platform/http/cookies.server.ts';
import { FormActions, NarrowPage, PageHead } from '~/ui/layout.tsx';
import { PAYER_LINK_DAYS } from './payer/payer-links.ts';
import { openPayerLink } from './payer/payer.server.ts';
import { ensureSession } from './payer/session.server.ts';
import type { Route } from './+types/my-order.ts';

/** The address contains the token, so the page is not cached. */
const noStore = { 'Cache-Control': 'no-store' };

/**
 * `/my-order/:token`, from an email to the payer: makes this browser one of the payer's and redirects to the status
 * page, where the order can be paid. The page is only shown where that failed.
 */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const platform = context.get(platformContext);
  const session = ensureSession(platform, request);
  const opened = await openPayerLink(platform, params.token, session.hash);
  if (!opened.ok) return data(null, { status: 410, headers: noStore });
  return redirect(`/status?ref=${opened.value.number}`, {
    headers: { ...noStore, ...cookieHeader(session.setCookie) },
  });
}

function MyOrderPage() {
  const { t } = useTranslation('application');
  const title = t('payerLink.overTitle');
  return (
    <NarrowPage>
      <title>{`${title} · Lale`}</title>
      <PageHead lead={t('payerLink.overText', { count: PAYER_LINK_DAYS })} title={title} />
      <FormActions>
        <ButtonLink to="/status">{t('download.toStatus')}</ButtonLink>
      </FormActions>
    </NarrowPage>
  );
}

export { MyOrderPage as default };
