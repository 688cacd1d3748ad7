import { data, redirect } from 'react-router';
import { readForm } from '~/platform/input/read-form.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import { PRIVATE_PAGE } from '~/platform/http/private-page.server.ts';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { FormActions, NarrowPage, PageHead } from '~/ui/layout.tsx';
import { Form } from '~/ui/page/form.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { applicationOfEmails } from './email-updates.server.ts';
import { setEmailUpdates } from '../application/store.server.ts';
import type { Route } from './+types/email-updates.ts';

export const handle = { scriptFree: true };
export const headers = () => PRIVATE_PAGE;

/** `/emails/:token`: whether a traveller gets the emails that are not needed. Opening it changes nothing. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const application = await applicationOfEmails(context.get(platformContext), params.token);
  if (!application) return data(null, { status: 410, headers: PRIVATE_PAGE });
  const { number, emailUpdates: isOn } = application;
  return data({ number, isOn }, { headers: PRIVATE_PAGE });
}

/** The page's own button, or a mail program's, which sends `List-Unsubscribe=One-Click` (RFC 8058). */
export async function action({ request, params, context }: Route.ActionArgs) {
  const platform = context.get(platformContext);
  const application = await applicationOfEmails(platform, params.token);
  if (!application) return data(null, { status: 410, headers: PRIVATE_PAGE });
  const form = await readForm({ request, context });
  const isOneClick = form.get('List-Unsubscribe') === 'One-Click';
  const wanted = isOneClick ? 'off' : form.get('updates');
  if (wanted !== 'on' && wanted !== 'off') {
    return data(null, { status: 422, headers: PRIVATE_PAGE });
  }
  await setEmailUpdates(platform.db, application, wanted === 'on');
  // A mail program follows no redirect.
  if (isOneClick) return data(null, { headers: PRIVATE_PAGE });
  return redirect(`/emails/${params.token}`, { status: 303, headers: PRIVATE_PAGE });
}

function EmailUpdatesPage({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation(['email-updates', 'application']);
  if (!view) {
    return (
      <NarrowPage>
        <title>{`${t('over.title')} · Lale`}</title>
        <PageHead lead={t('over.text')} title={t('over.title')} />
        <FormActions>
          <ButtonLink to="/status">{t('application:download.toStatus')}</ButtonLink>
        </FormActions>
      </NarrowPage>
    );
  }
  const { number, isOn } = view;
  return (
    <NarrowPage>
      <title>{`${t('title')} · Lale`}</title>
      <meta content="noindex" name="robots" />
      <PageHead lead={t(isOn ? 'on' : 'off')} title={t('title')} />
      <p>
        {t('application:fact.number')}: <NumberCode value={number} />
      </p>
      <h2 className="text-h3 mt-6">{t('optional.title')}</h2>
      <ul className="mt-2 grid list-disc gap-1 ps-6">
        <li>{t('optional.processing')}</li>
        <li>{t('optional.reminder')}</li>
      </ul>
      <h2 className="text-h3 mt-6">{t('always.title')}</h2>
      <p className="mt-2">{t('always.text')}</p>
      <Form className="mt-6" method="post">
        <input name="updates" type="hidden" value={isOn ? 'off' : 'on'} />
        <FormActions>
          <Button>{t(isOn ? 'turnOff' : 'turnOn')}</Button>
          <ButtonLink look="plain" to={`/status?ref=${number}`}>
            {t('application:download.toStatus')}
          </ButtonLink>
        </FormActions>
      </Form>
    </NarrowPage>
  );
}

export { EmailUpdatesPage as default };
