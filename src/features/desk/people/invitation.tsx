import { useTranslation } from '~/ui/texts/texts.tsx';
import { data, redirect } from 'react-router';
import { NewPasswordPage } from './gate-page.tsx';
import { formText } from '~/platform/input/form-text.ts';
import { acceptInvitation, readInvitation } from '~/features/staff/accounts/invitation.server.ts';
import { waiting, waitForLink } from './link-limit.server.ts';
import { deviceName, knownDeviceCookie } from '~/features/staff/known-device.server.ts';
import { usesPassword } from '~/features/staff/passwords.ts';
import { sessionCookie } from '~/features/staff/session.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { limitedPrivatePage, platformContext } from '~/platform/http/request.server.ts';
import { giveCookie } from '~/platform/http/cookies.server.ts';
import type { Route } from './+types/invitation.ts';

export const headers = limitedPrivatePage;

/** Where an invited person chooses a password, or goes to the identity provider. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const platform = context.get(platformContext);
  const wait = await waitForLink(context);
  if (wait !== null) return data({ invited: null, wait, offer: null }, waiting(wait));
  const invitation = await readInvitation(platform, params.token);
  const { singleSignOn } = platform.config;
  const offer = singleSignOn
    ? {
        name: singleSignOn.name,
        takesPassword: invitation !== null && usesPassword(platform, invitation.email),
      }
    : null;
  const invited = invitation && {
    name: invitation.name,
    email: invitation.email,
    role: invitation.role,
  };
  return data({ invited, wait: null, offer }, { status: invited ? 200 : 410 });
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const platform = context.get(platformContext);
  const wait = await waitForLink(context);
  if (wait !== null) return data({ error: 'too_many' as const, wait }, waiting(wait));
  const password = formText(await readForm({ request, context }), 'password');
  const outcome = await acceptInvitation(platform, params.token, password, deviceName(request));
  if (!outcome.ok) return data({ error: outcome.error, wait }, { status: 422 });
  const { token, accountId } = outcome.value;
  const headers = new Headers();
  giveCookie(headers, sessionCookie(platform, token));
  giveCookie(headers, knownDeviceCookie(platform, request, accountId));
  return redirect('/admin/second-factor', { headers });
}

export default function InvitationPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('staff');
  const { invited, offer } = loaderData;
  const error = actionData?.error;
  return (
    <NewPasswordPage
      open={
        invited && {
          lead: t(offer ? 'invitation.leadSignOn' : 'invitation.lead', {
            name: invited.name,
            role: t(`role.${invited.role}`),
            provider: offer?.name,
          }),
          email: invited.email,
          label: t('password.choose'),
          submit: t('invitation.submit'),
        }
      }
      offer={offer}
      other={{ to: '/admin', label: t('signIn.title') }}
      over={t('invitation.over')}
      problem={error === 'invitation_over' || error === 'too_many' ? undefined : error}
      title={t('invitation.title')}
      wait={actionData?.wait ?? loaderData.wait}
    />
  );
}
