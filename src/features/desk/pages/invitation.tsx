import { useTranslation } from 'react-i18next';
import { data, Form, Link, redirect } from 'react-router';
import { DeskPage } from '~/features/desk/desk-page.tsx';
import { formText } from '~/features/desk/form-text.ts';
import { acceptInvitation, readInvitation } from '~/features/staff/invitation.server.ts';
import { SHORTEST_PASSWORD } from '~/features/staff/password-rules.ts';
import { sessionCookie } from '~/features/staff/session.server.ts';
import { platformContext } from '~/platform/request.server.ts';
import { Button } from '~/ui/button.tsx';
import { ErrorSummary } from '~/ui/error-summary.tsx';
import { Notice } from '~/ui/notice.tsx';
import { TextField } from '~/ui/text-field.tsx';
import type { Route } from './+types/invitation.ts';

const PRIVATE = {
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
  'Referrer-Policy': 'same-origin',
};
export const headers = () => PRIVATE;

/** Where an invited person chooses a password. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const invitation = await readInvitation(context.get(platformContext), params.token);
  const invited = invitation && {
    name: invitation.name,
    email: invitation.email,
    role: invitation.role,
  };
  return data({ invited }, { status: invited ? 200 : 410, headers: PRIVATE });
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const platform = context.get(platformContext);
  const password = formText(await request.formData(), 'password');
  const outcome = await acceptInvitation(platform, params.token, password);
  if (!outcome.ok) return data({ error: outcome.error }, { status: 422, headers: PRIVATE });
  const cookie = sessionCookie(platform, outcome.value);
  return redirect('/admin/second-factor', { headers: { ...PRIVATE, 'Set-Cookie': cookie } });
}

export default function InvitationPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('staff');
  const { invited } = loaderData;
  const error = actionData?.error;
  const message =
    error && error !== 'invitation_over'
      ? t(`password.${error}`, { count: SHORTEST_PASSWORD })
      : undefined;
  return (
    <DeskPage staff={null}>
      <div className="sign-in">
        <title>{`${t('invitation.title')} – Lale`}</title>
        <ErrorSummary problems={message ? [{ name: 'password', message }] : []} />
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
            <Notice tone="amber">{t('invitation.over')}</Notice>
            <p className="sign-in-other">
              <Link to="/admin">{t('signIn.title')}</Link>
            </p>
          </>
        )}
      </div>
    </DeskPage>
  );
}
