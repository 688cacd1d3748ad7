import { useTranslation } from '~/ui/texts/texts.tsx';
import { data, redirect } from 'react-router';
import { Form } from '~/ui/page/form.tsx';
import { isolated } from '~/base/isolated.ts';
import { formText } from '~/platform/input/form-text.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { resolveEmail } from '~/platform/mail/mistyped-email.server.ts';
import {
  addressContext,
  languageContext,
  platformContext,
} from '~/platform/http/request.server.ts';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { EMAIL_ANSWER } from '~/ui/fields/email-answer.ts';
import { EmailChoice } from '~/ui/fields/email-choice.tsx';
import { FormHead } from '~/ui/fields/error-summary.tsx';
import { FormActions, NarrowPage, PageHead } from '~/ui/layout.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import { askNumbers } from './ask-numbers.server.ts';
import type { Route } from './+types/lost-number.ts';

const PRIVATE = { 'Cache-Control': 'no-store' };
const PLACE = '/status/lost-number';
/** The same for somebody who needs the link in that email, to cancel on another device. */
export const LINK_PLACE = `${PLACE}?for=link`;

export const handle = { scriptFree: true };
export const headers = () => PRIVATE;

export function loader({ request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  return { isSent: searchParams.has('sent'), isForLink: searchParams.get('for') === 'link' };
}

const statuses = { required: 422, invalid: 422, mistyped: 422, limit: 429 } as const;

/** The answer is the same for every well-formed address, so that it does not tell who has applied. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm({ request, context });
  const field = (name: string) => formText(form, name).slice(0, 300);
  const typed = field('email');
  const { email, ask } = resolveEmail(typed, field(EMAIL_ANSWER));
  const refuse = (code: keyof typeof statuses) =>
    data({ typed, code, ask }, { status: statuses[code], headers: PRIVATE });
  if (ask !== null) return refuse('mistyped');
  const asked = await askNumbers(context.get(platformContext), {
    email,
    address: context.get(addressContext),
    language: context.get(languageContext),
  });
  if (!asked.ok) return refuse(asked.error);
  return redirect(`${PLACE}?sent=yes`, { status: 303, headers: PRIVATE });
}

function LostNumberPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation(['application', 'cancellation']);
  const { isSent, isForLink } = loaderData;
  if (isSent && !actionData) return <Sent />;
  const title = t(isForLink ? 'cancellation:link.button' : 'lost.title');
  const error = actionData
    ? t(`lost.error.${actionData.code}`, { suggestion: isolated(actionData.ask ?? '') })
    : undefined;
  return (
    <NarrowPage>
      <meta content="noindex" name="robots" />
      <FormHead
        problems={error === undefined ? [] : [{ name: 'email', message: error }]}
        title={`${title} · Lale`}
      />
      <PageHead lead={t(isForLink ? 'cancellation:link.lead' : 'lost.lead')} title={title} />
      <Form action={isForLink ? LINK_PLACE : PLACE} className="grid gap-6" method="post">
        <TextField
          after={<EmailChoice ask={actionData?.ask ?? null} typed={actionData?.typed ?? ''} />}
          autoComplete="email"
          defaultValue={actionData?.typed}
          error={error}
          hint={t('lost.hint')}
          inputMode="email"
          label={t('lost.email')}
          latin
          name="email"
          spellCheck={false}
          type="email"
          width="email"
        />
        <FormActions>
          <Button>{t(isForLink ? 'cancellation:link.button' : 'lost.send')}</Button>
          <ButtonLink look="plain" to="/status">
            {t('lost.back')}
          </ButtonLink>
        </FormActions>
      </Form>
    </NarrowPage>
  );
}

function Sent() {
  const { t } = useTranslation('application');
  return (
    <NarrowPage>
      <title>{`${t('lost.sentTitle')} · Lale`}</title>
      <meta content="noindex" name="robots" />
      <PageHead lead={t('lost.sentText')} title={t('lost.sentTitle')} />
      <p>{t('lost.sentNothing')}</p>
      <FormActions>
        <ButtonLink look="secondary" to={PLACE}>
          {t('lost.again')}
        </ButtonLink>
      </FormActions>
    </NarrowPage>
  );
}

export { LostNumberPage as default };
