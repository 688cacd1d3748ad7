import { useTranslation } from 'react-i18next';
import { data, Form, Link, redirect } from 'react-router';
import { DeskPage } from '~/features/desk/desk-page.tsx';
import { formText } from '~/features/desk/form-text.ts';
import { acceptInvitation, readInvitation } from '~/features/staff/invitation.server.ts';
import { waiting, waitForLink } from '~/features/desk/link-limit.server.ts';
import { deviceName } from '~/features/staff/device-name.server.ts';
import { knownDeviceCookie } from '~/features/staff/known-device.server.ts';
import { SHORTEST_PASSWORD } from '~/features/staff/password-rules.ts';
import { sessionCookie } from '~/features/staff/session.server.ts';
import { readForm } from '~/platform/input/read-form.server.ts';
import { PRIVATE_PAGE, privatePageThatWaits } from '~/platform/private-page.server.ts';
import { platformContext } from '~/platform/request.server.ts';
import { Button } from '~/ui/button.tsx';
import { ErrorSummary } from '~/ui/error-summary.tsx';
import { Notice } from '~/ui/notice.tsx';
import { giveCookie } from '~/platform/cookies.server.ts';
import { TextField } from '~/ui/text-field.tsx';
import type { Route } from './+types/invitation.ts';

export const headers = privatePageThatWaits;

/** Where an invited person chooses a password. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const wait = await waitForLink(context);
  if (wait !== null) return data({ invited: null, wait }, waiting(wait));
  const invitation = await readInvitation(context.get(platformContext), params.token);
  const invited = invitation && {
    name: invitation.name,
    email: invitation.email,
    role: invitation.role,
  };
  return data({ invited, wait: null }, { status: invited ? 200 : 410, headers: PRIVATE_PAGE });
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const platform = context.get(platformContext);
  const wait = await waitForLink(context);
  if (wait !== null) return data({ error: 'too_many' as const, wait }, waiting(wait));
  const password = formText(await readForm({ request, context }), 'password');
  const outcome = await acceptInvitation(platform, params.token, password, deviceName(request));
  if (!outcome.ok)
    return data({ error: outcome.error, wait }, { status: 422, headers: PRIVATE_PAGE });
  const { token, accountId } = outcome.value;
  const headers = new Headers(PRIVATE_PAGE);
  giveCookie(headers, sessionCookie(platform, token));
  giveCookie(headers, knownDeviceCookie(platform, request, accountId));
  return redirect('/admin/second-factor', { headers });
}

export default function InvitationPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('staff');
  const { invited } = loaderData;
  const wait = actionData?.wait ?? loaderData.wait;
  const error = actionData?.error;
  const message =
    error && error !== 'invitation_over' && error !== 'too_many'
      ? t(`password.${error}`, { count: SHORTEST_PASSWORD })
      : undefined;
  return (
    <DeskPage staff={null}>
      <div className="sign-in">
        <title>{`${t('invitation.title')} – Lale`}</title>
        <ErrorSummary problems={message ? [{ name: 'password', message }] : []} />
        {wait === null ? null : (
          <Notice className="sign-in-notice" role="alert" tone="red">
            {t('error.too_many', { count: Math.ceil(wait / 60) })}
          </Notice>
        )}
        <h1 className="heading-form">{t('invitation.title')}</h1>
        {invited ? (
          <>
            <p className="sign-in-lead">
              {t('invitation.lead', { name: invited.name, role: t(`role.${invited.role}`) })}
            </p>
            <Form method="post">
              {/* So that a password manager knows whose password it is. */}
              <TextField
                autoComplete="username"
                label={t('signIn.email')}
                latin
                name="email"
                readOnly
                type="email"
                value={invited.email}
                width="full"
              />
              <TextField
                autoComplete="new-password"
                error={message}
                hint={t('password.hint', { count: SHORTEST_PASSWORD })}
                label={t('password.choose')}
                latin
                name="password"
                type="password"
                width="full"
              />
              <Button wide>{t('invitation.submit')}</Button>
            </Form>
          </>
        ) : (
          <>
            {wait === null ? <Notice tone="amber">{t('invitation.over')}</Notice> : null}
            <p className="sign-in-other">
              <Link to="/admin">{t('signIn.title')}</Link>
            </p>
          </>
        )}
      </div>
    </DeskPage>
  );
}
