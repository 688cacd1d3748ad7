import { useTranslation } from '~/ui/texts/texts.tsx';
import { data, redirect } from 'react-router';
import { NewPasswordPage } from './gate-page.tsx';
import { formText } from '~/platform/input/form-text.ts';
import { waiting, waitForLink } from './link-limit.server.ts';
import { readReset, resetPassword } from '~/features/staff/accounts/reset.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { limitedPrivatePage, platformContext } from '~/platform/http/request.server.ts';
import type { Route } from './+types/reset.ts';

export const headers = limitedPrivatePage;

/** Sets a new password by a link. Opening the page does not consume the link: mail scanners open links, too. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const wait = await waitForLink(context);
  if (wait !== null) return data({ account: null, wait }, waiting(wait));
  const account = await readReset(context.get(platformContext), params.token);
  return data({ account, wait: null }, { status: account ? 200 : 410 });
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const wait = await waitForLink(context);
  if (wait !== null) return data({ error: 'too_many' as const, wait }, waiting(wait));
  const password = formText(await readForm({ request, context }), 'password');
  const outcome = await resetPassword(context.get(platformContext), params.token, password);
  if (!outcome.ok) {
    const status = outcome.error === 'reset_over' ? 410 : 422;
    return data({ error: outcome.error, wait }, { status });
  }
  return redirect('/admin?reset=done');
}

export default function ResetPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('staff');
  const { account } = loaderData;
  const error = actionData?.error;
  return (
    <NewPasswordPage
      open={
        account && error !== 'reset_over'
          ? {
              lead: t('reset.lead'),
              email: account.email,
              label: t('password.next'),
              submit: t('reset.submit'),
            }
          : null
      }
      other={{ to: '/admin/forgotten', label: t('forgotten.title') }}
      over={t('reset.over')}
      problem={error === 'reset_over' || error === 'too_many' ? undefined : error}
      title={t('reset.title')}
      wait={actionData?.wait ?? loaderData.wait}
    />
  );
}
