import { useTranslation } from '~/ui/texts/texts.tsx';
import { data, Form, useNavigation } from 'react-router';
import { Link } from '~/ui/page/link.tsx';
import { GatePage } from './gate-page.tsx';
import { formText } from '~/platform/input/form-text.ts';
import { waiting } from './link-limit.server.ts';
import { askReset, RESET_MINUTES } from '~/features/staff/accounts/reset.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import {
  limitedPrivatePage,
  addressContext,
  languageContext,
  platformContext,
} from '~/platform/http/request.server.ts';
import { Button } from '~/ui/button.tsx';
import { FormActions, FormFields } from '~/ui/layout.tsx';
import { Notice } from '~/ui/notice.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import type { Route } from './+types/forgotten.ts';

export const headers = limitedPrivatePage;

/** Asks for a link to a new password. */
export const loader = () => ({ minutes: RESET_MINUTES });

type Answer = { sent: boolean; error: 'email_required' | 'too_many' | null; wait: number | null };

export async function action({ request, context }: Route.ActionArgs) {
  const email = formText(await readForm({ request, context }), 'email').trim();
  const answer = (fields: Partial<Answer>, init: Parameters<typeof data>[1]) =>
    data<Answer>({ sent: false, error: null, wait: null, ...fields }, init);
  if (email === '') return answer({ error: 'email_required' }, 422);
  const outcome = await askReset(context.get(platformContext), {
    email,
    address: context.get(addressContext),
    language: context.get(languageContext),
  });
  if (outcome.ok) return answer({ sent: true }, 200);
  const wait = outcome.error.retryAfterSeconds;
  return answer({ error: 'too_many', wait }, waiting(wait));
}

export default function ForgottenPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('staff');
  const busy = useNavigation().state !== 'idle';
  const isMissing = actionData?.error === 'email_required';
  const message = isMissing ? t('error.email_required') : undefined;
  return (
    <GatePage
      problems={message ? [{ name: 'email', message }] : []}
      title={t('forgotten.title')}
      wait={actionData?.wait}
    >
      {actionData?.sent ? (
        <Notice className="mt-4" role="status" title={t('forgotten.sentTitle')} tone="green">
          <p>{t('forgotten.sent', { count: loaderData.minutes })}</p>
        </Notice>
      ) : (
        <>
          <p className="mt-1 mb-5 text-ink-2">
            {t('forgotten.lead', { count: loaderData.minutes })}
          </p>
          <Form method="post">
            <FormFields>
              <TextField
                autoComplete="username"
                error={message}
                label={t('signIn.email')}
                latin
                name="email"
                type="email"
                width="full"
              />
            </FormFields>
            <FormActions>
              <Button busy={busy} wide>
                {t('forgotten.submit')}
              </Button>
            </FormActions>
          </Form>
        </>
      )}
      <p className="mt-1 mb-5 text-ink-2 [form+&]:mt-4">{t('forgotten.factor')}</p>
      <p className="mt-4 text-center">
        <Link to="/admin">{t('signIn.title')}</Link>
      </p>
    </GatePage>
  );
}
