import { useTranslation } from '~/ui/texts/texts.tsx';
import { data, Form, redirect } from 'react-router';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { isolated } from '~/base/isolated.ts';
import { isUuid } from '~/base/uuid.ts';
import { FormPage } from '../frame/desk-page.tsx';
import { formText } from '~/platform/input/form-text.ts';
import {
  accountChanges,
  changeAccountFacts,
  type AccountFactsError,
} from '~/features/staff/accounts/account-facts.server.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import { MAX_STAFF_NAME_LENGTH } from '~/features/staff/staff.ts';
import { accountById, staffNames } from '~/features/staff/store.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { resolveEmail } from '~/platform/mail/mistyped-email.server.ts';
import { EMAIL_ANSWER } from '~/ui/fields/email-answer.ts';
import { EmailChoice } from '~/ui/fields/email-choice.tsx';
import { Button } from '~/ui/button.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import type { Route } from './+types/colleague.ts';

/** A colleague's name and email address, and what they were before. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { staff, platform } = await requireDesk({ request, context }, 'administer');
  const { db, sealer } = platform;
  if (params.id === staff.id) throw redirect('/admin/account');
  const account = isUuid(params.id) ? await accountById(db, params.id) : null;
  if (!account) throw data(null, { status: 404 });
  const changes = await accountChanges(db, sealer, account.id);
  const names = await staffNames(db, [...new Set(changes.map(({ changedBy }) => changedBy))]);
  return {
    colleague: { name: account.name, email: account.email },
    isDone: new URL(request.url).searchParams.has('done'),
    changes: changes.map(({ id, at, changedBy, before, after }) => ({
      id,
      at,
      by: names.get(changedBy) ?? changedBy,
      before,
      after,
    })),
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { staff, platform } = await requireDesk({ request, context }, 'administer');
  const form = await readForm({ request, context });
  const typed = {
    name: formText(form, 'name'),
    email: formText(form, 'email'),
    emailAnswer: formText(form, EMAIL_ANSWER),
  };
  const outcome = await changeAccountFacts(platform, staff, params.id, typed);
  if (outcome.ok) {
    return redirect(`/admin/accounts/${params.id}?done=yes`);
  }
  const { ask } = resolveEmail(typed.email, typed.emailAnswer);
  return data({ error: outcome.error, typed, ask }, { status: 422 });
}

const fieldOf: Partial<Record<AccountFactsError, string>> = {
  name_required: 'name',
  unchanged: 'name',
  email_invalid: 'email',
  email_mistyped: 'email',
  email_taken: 'email',
};

export default function ColleaguePage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('staff');
  const { colleague, isDone, changes } = loaderData;
  const error = actionData?.error;
  const ask = error === 'email_mistyped' ? (actionData?.ask ?? null) : null;
  const message =
    error === undefined
      ? undefined
      : error === 'email_taken' || error === 'unchanged'
        ? t(`colleague.error.${error}`)
        : t(`accounts.error.${error}`, { suggestion: isolated(ask ?? '') });
  const field = error && fieldOf[error];
  const errorAt = (name: string) => (field === name ? message : undefined);
  const shown = actionData?.typed ?? colleague;
  return (
    <FormPage
      done={isDone && !error ? t('colleague.done') : null}
      lead={
        <>
          {colleague.name} · <bdi dir="ltr">{colleague.email}</bdi>
        </>
      }
      problems={message ? [{ name: field ?? null, message }] : []}
      title={t('colleague.title')}
      up={{ to: '/admin/accounts', label: t('accounts.title') }}
    >
      <section>
        <Form method="post">
          <TextField
            autoComplete="off"
            defaultValue={shown.name}
            error={errorAt('name')}
            label={t('invite.name')}
            maxLength={MAX_STAFF_NAME_LENGTH}
            name="name"
          />
          <TextField
            after={<EmailChoice ask={ask} typed={shown.email} />}
            autoComplete="off"
            defaultValue={shown.email}
            error={errorAt('email')}
            hint={t('colleague.emailHint')}
            label={t('signIn.email')}
            latin
            name="email"
            type="email"
          />
          <Button small>{t('colleague.submit')}</Button>
        </Form>
      </section>
      {changes.length > 0 ? <Changes changes={changes} /> : null}
    </FormPage>
  );
}

function Changes({ changes }: Pick<Route.ComponentProps['loaderData'], 'changes'>) {
  const { t, language } = useTranslation('staff');
  return (
    <section>
      <h2>{t('colleague.changes')}</h2>
      <ul className="desk-history">
        {changes.map(({ id, at, by, before, after }) => (
          <li key={id}>
            <p className="text-ink-2">
              {formatMoment(at, language, UTC, 'dated')} · <bdi>{by}</bdi>
            </p>
            {before.name === after.name ? null : (
              <p>
                {t('colleague.changed', {
                  before: isolated(before.name),
                  after: isolated(after.name),
                })}
              </p>
            )}
            {before.email === after.email ? null : (
              <p className="wrap-anywhere">
                {t('colleague.changed', {
                  before: isolated(before.email),
                  after: isolated(after.email),
                })}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
