import { useTranslation } from 'react-i18next';
import { data, Form, Link, redirect } from 'react-router';
import { DeskPage } from '~/features/desk/desk-page.tsx';
import { formText } from '~/features/desk/form-text.ts';
import { waiting, waitForLink } from '~/features/desk/link-limit.server.ts';
import { SHORTEST_PASSWORD } from '~/features/staff/password-rules.ts';
import { readReset, resetPassword } from '~/features/staff/reset/reset.server.ts';
import { readForm } from '~/platform/input/read-form.server.ts';
import { PRIVATE_PAGE, privatePageThatWaits } from '~/platform/private-page.server.ts';
import { platformContext } from '~/platform/request.server.ts';
import { Button } from '~/ui/button.tsx';
import { ErrorSummary } from '~/ui/error-summary.tsx';
import { Notice } from '~/ui/notice.tsx';
import { TextField } from '~/ui/text-field.tsx';
import type { Route } from './+types/reset.ts';

export const headers = privatePageThatWaits;

/** Where somebody with a link chooses a new password. Opening it does not use it up: mail scanners open links, too. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const wait = await waitForLink(context);
  if (wait !== null) return data({ account: null, wait }, waiting(wait));
  const account = await readReset(context.get(platformContext), params.token);
  return data({ account, wait: null }, { status: account ? 200 : 410, headers: PRIVATE_PAGE });
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const wait = await waitForLink(context);
  if (wait !== null) return data({ error: 'too_many' as const, wait }, waiting(wait));
  const password = formText(await readForm({ request, context }), 'password');
  const outcome = await resetPassword(context.get(platformContext), params.token, password);
  if (!outcome.ok) {
    const status = outcome.error === 'reset_over' ? 410 : 422;
    return data({ error: outcome.error, wait }, { status, headers: PRIVATE_PAGE });
  }
  return redirect('/admin?reset=done', { headers: PRIVATE_PAGE });
}

export default function ResetPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('staff');
  const { account } = loaderData;
  const wait = actionData?.wait ?? loaderData.wait;
  const error = actionData?.error;
  const message =
    error && error !== 'reset_over' && error !== 'too_many'
      ? t(`password.${error}`, { count: SHORTEST_PASSWORD })
      : undefined;
  const title = t('reset.title');
  return (
    <DeskPage staff={null}>
      <div className="sign-in">
        <title>{`${message ? `${t('errorSummary.titlePrefix', { ns: 'ui' })} ` : ''}${title} – Lale`}</title>
        <ErrorSummary problems={message ? [{ name: 'password', message }] : []} />
        {wait === null ? null : (
          <Notice className="sign-in-notice" role="alert" tone="red">
            {t('error.too_many', { count: Math.ceil(wait / 60) })}
          </Notice>
        )}
        <h1 className="heading-form">{title}</h1>
        {account && error !== 'reset_over' ? (
          <>
            <p className="sign-in-lead">{t('reset.lead')}</p>
            <Form method="post">
              {/* So that a password manager knows whose password it is. */}
              <TextField
                autoComplete="username"
                label={t('signIn.email')}
                latin
                name="email"
                readOnly
                type="email"
                value={account.email}
                width="full"
              />
              <TextField
                autoComplete="new-password"
                error={message}
                hint={t('password.hint', { count: SHORTEST_PASSWORD })}
                label={t('password.next')}
                latin
                name="password"
                type="password"
                width="full"
              />
              <Button wide>{t('reset.submit')}</Button>
            </Form>
          </>
        ) : (
          <>
            {wait === null ? <Notice tone="amber">{t('reset.over')}</Notice> : null}
            <p className="sign-in-other">
              <Link to="/admin/forgotten">{t('forgotten.title')}</Link>
            </p>
          </>
        )}
      </div>
    </DeskPage>
  );
}
