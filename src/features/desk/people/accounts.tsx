import { useTranslation } from '~/ui/texts/texts.tsx';
import { data, Form } from 'react-router';
import { useResetKey } from '../frame/announcer.tsx';
import { FormPage } from '../frame/desk-page.tsx';
import { EntriesTable } from '../frame/lists.tsx';
import { RowAction } from '../frame/panel.tsx';
import { isolated } from '~/base/isolated.ts';
import { formText } from '~/platform/input/form-text.ts';
import { listAccounts, openInvitations } from '~/features/staff/store.server.ts';
import {
  changeRole,
  factorReasons,
  endAllSessions,
  resetSecondFactor,
  setActive,
} from '~/features/staff/accounts/accounts.server.ts';
import { invite, withdrawInvitation } from '~/features/staff/accounts/invitation.server.ts';
import { sendReset } from '~/features/staff/accounts/reset.server.ts';
import type { CodeIn } from '~/base/text-keys.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import { usesPassword } from '~/features/staff/passwords.ts';
import { isProved, requestSession } from '~/features/staff/session.server.ts';
import { roles, type Role } from '~/features/staff/roles.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { resolveEmail } from '~/platform/mail/mistyped-email.server.ts';
import { EMAIL_ANSWER } from '~/ui/fields/email-answer.ts';
import { EmailChoice } from '~/ui/fields/email-choice.tsx';
import { Button } from '~/ui/button.tsx';
import { SelectField, SelectFrame } from '~/ui/fields/select-field.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import type { Route } from './+types/accounts.ts';
import { INVITATION_DAYS, TRIES_MINUTES } from '~/features/staff/staff.ts';
import { CodeField } from '~/features/staff/code-field.tsx';
import { useHref } from '~/ui/page/page-context.tsx';
import { formatDate, formatMoment, toPlainDate, UTC } from '~/base/dates/dates.ts';
import { Link } from '~/ui/page/link.tsx';
import { classNames } from '~/ui/class-names.ts';

/** Staff accounts: administrators invite, change and deactivate them. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { staff, platform } = await requireDesk({ request, context }, 'administer');
  const { singleSignOn } = platform.config;
  const [accounts, invitations, mine] = await Promise.all([
    listAccounts(platform.db),
    openInvitations(platform.db, platform.now()),
    requestSession(platform, request),
  ]);
  // A second factor of the provider's counts where the operator trusts it, which this session then says.
  const canProveThere = singleSignOn && mine?.session.provedFactor;
  return {
    staff,
    reasons: factorReasons,
    provider: singleSignOn?.name ?? null,
    /** The identity provider whose second factor they proved; and whether they have just done so again. */
    again: canProveThere
      ? {
          name: singleSignOn.name,
          isProved: isProved(mine.session, platform.now()),
        }
      : null,
    accounts: accounts.map(({ hasPassword, ...account }) => {
      const takes = usesPassword(platform, account.email);
      // Whether they can sign in with a password; the others do at the identity provider alone.
      return { ...account, takesPassword: takes, hasPassword: hasPassword && takes };
    }),
    invitations: invitations.map(({ id, email, name, role, expiresAt }) => {
      return { id, email, name, role, expiresAt };
    }),
  };
}

const intents = [
  'invite',
  'withdraw',
  'role',
  'deactivate',
  'reactivate',
  'factor',
  'reset',
  'sessions',
] as const;
type Done = (typeof intents)[number];
type Problem = CodeIn<'staff', 'accounts.error'>;

const roleOf = (typed: string): Role | undefined => roles.find((role) => role === typed);

export async function action({ request, context }: Route.ActionArgs) {
  const { staff, platform, language } = await requireDesk({ request, context }, 'administer');
  const form = await readForm({ request, context });
  const id = formText(form, 'account');
  const intent = intents.find((one) => one === formText(form, 'intent'));
  const role = roleOf(formText(form, 'role'));
  const typed = {
    email: formText(form, 'email'),
    emailAnswer: formText(form, EMAIL_ANSWER),
    name: formText(form, 'name'),
  };
  const run = async () => {
    switch (intent) {
      case 'invite':
        return invite(platform, staff, {
          ...typed,
          role: role ?? 'reviewer',
          language,
        });
      case 'withdraw':
        return withdrawInvitation(platform, staff, id);
      case 'role':
        return role ? changeRole(platform, staff, id, role) : null;
      case 'deactivate':
      case 'reactivate':
        return setActive(platform, staff, id, intent === 'reactivate');
      case 'factor':
        return resetSecondFactor(platform, staff, id, {
          reason: factorReasons.find((one) => one === formText(form, 'reason')),
          code: formText(form, 'code').slice(0, 40),
          sessionId: (await requestSession(platform, request))?.session.id ?? null,
        });
      case 'reset':
        return sendReset(platform, staff, id, language);
      case 'sessions':
        return endAllSessions(platform, staff, id);
      default:
        return null;
    }
  };
  const outcome = await run();
  const answer = (done: Done | null, error: Problem | null, status: number) =>
    data({ done, error, typed, ask: resolveEmail(typed.email, typed.emailAnswer).ask }, { status });
  if (!intent || !outcome) return answer(null, 'not_found', 422);
  return outcome.ok ? answer(intent, null, 200) : answer(null, outcome.error, 422);
}

const fieldOf: Partial<Record<Problem, string>> = {
  email_invalid: 'email',
  email_mistyped: 'email',
  email_taken: 'email',
  email_deactivated: 'email',
  reason_required: 'reason',
  no_factor: 'account',
  wrong_code: 'code',
  own_factor_missing: 'code',
  limit: 'code',
  name_required: 'name',
};

type Loaded = Route.ComponentProps['loaderData'];

export default function AccountsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('staff');
  const { staff, accounts, invitations, reasons, provider, again } = loaderData;
  const invitation = useResetKey(actionData, actionData?.done === 'invite');
  const error = actionData?.error ?? null;
  const ask = error === 'email_mistyped' ? (actionData?.ask ?? null) : null;
  const message =
    error === null
      ? undefined
      : t(`accounts.error.${error}`, { suggestion: isolated(ask ?? ''), minutes: TRIES_MINUTES });
  const field = error === null ? undefined : fieldOf[error];
  const withFactor = accounts.filter(
    ({ id, active, hasSecondFactor }) => active && hasSecondFactor && id !== staff.id,
  );
  const errorAt = (name: string) => (field === name ? message : undefined);
  return (
    <FormPage
      done={actionData?.done ? t(`accounts.done.${actionData.done}`) : null}
      lead={t('accounts.lead')}
      problems={message ? [{ name: field ?? null, message }] : []}
      title={t('accounts.title')}
    >
      <AccountsTable accounts={accounts} ownId={staff.id} provider={provider} />

      <section>
        <h2>{t('invite.title')}</h2>
        <Form key={invitation} method="post">
          <TextField
            autoComplete="off"
            defaultValue={field ? actionData?.typed.name : undefined}
            error={errorAt('name')}
            label={t('invite.name')}
            name="name"
          />
          <TextField
            after={<EmailChoice ask={ask} typed={actionData?.typed.email ?? ''} />}
            autoComplete="off"
            defaultValue={field ? actionData?.typed.email : undefined}
            error={errorAt('email')}
            hint={t('invite.hint', { days: INVITATION_DAYS })}
            label={t('signIn.email')}
            latin
            name="email"
            type="email"
          />
          <SelectField
            label={t('accounts.role')}
            name="role"
            options={roles.map((value) => ({ value, label: t(`role.${value}`) }))}
          />
          <Button name="intent" small value="invite">
            {t('invite.submit')}
          </Button>
        </Form>
      </section>
      {withFactor.length > 0 ? (
        <FactorReset
          again={again}
          errorAt={errorAt}
          hasSecondFactor={staff.hasSecondFactor}
          people={withFactor}
          reasons={reasons}
        />
      ) : null}
      {invitations.length > 0 ? <Invitations invitations={invitations} /> : null}
    </FormPage>
  );
}

/**
 * Resets the second factor of somebody who lost phone and recovery codes: asks for account, reason, and the
 * administrator's own code, or that they sign in at the identity provider again.
 */
function FactorReset({
  people,
  reasons,
  errorAt,
  hasSecondFactor,
  again,
}: Pick<Loaded, 'again' | 'reasons'> & {
  /** Whether the administrator has codes of their own to type. */
  hasSecondFactor: boolean;
  people: Loaded['accounts'];
  errorAt: (name: string) => string | undefined;
}) {
  const { t } = useTranslation('staff');
  const href = useHref('/admin/single-sign-on');
  const choose = t('accounts.factorChoose');
  return (
    <section>
      <h2>{t('accounts.factorTitle')}</h2>
      <p className="text-ink-2">{t('accounts.factorLead')}</p>
      <Form method="post">
        <SelectField
          emptyLabel={choose}
          error={errorAt('account')}
          label={t('accounts.who')}
          name="account"
          options={people.map(({ id, name, email }) => ({
            value: id,
            label: `${name} (${email})`,
          }))}
        />
        <SelectField
          emptyLabel={choose}
          error={errorAt('reason')}
          label={t('accounts.factorReason')}
          name="reason"
          options={reasons.map((value) => ({ value, label: t(`accounts.factorReasons.${value}`) }))}
        />
        {again?.isProved ? (
          <p role="status">{t('signOn.proved')}</p>
        ) : again ? (
          <p>
            <a href={`${href}?for=again&next=/admin/accounts`}>
              {t('signOn.again', { name: again.name })}
            </a>
          </p>
        ) : null}
        {again && (again.isProved || !hasSecondFactor) ? null : (
          <CodeField
            error={errorAt('code')}
            hint={t('recovery.codeHint')}
            label={t('accounts.factorCode')}
          />
        )}
        <Button look="secondary" name="intent" small value="factor">
          {t('accounts.resetFactor')}
        </Button>
      </Form>
    </section>
  );
}

const INLINE_FORM =
  'flex flex-wrap items-center gap-x-4 gap-y-1 [&_.control]:m-0 [&_.control]:w-auto [&_.select_.icon]:top-0';

/** Accounts, with an administrator's actions for each. */
function AccountsTable({
  accounts,
  ownId,
  provider,
}: Pick<Loaded, 'accounts' | 'provider'> & { ownId: string }) {
  const { t, language } = useTranslation('staff');
  return (
    <EntriesTable
      columns={[
        {
          head: t('accounts.who'),
          className: 'text-[0.78125rem] text-ink-2',
          isRowName: true,
          render: ({ name, email }) => (
            <>
              <span className="block font-semibold text-ink">{name}</span>
              <bdi className="block min-w-48 wrap-anywhere" dir="ltr">
                {email}
              </bdi>
            </>
          ),
        },
        {
          head: t('accounts.role'),
          render: ({ id, name, role, active, hasPassword }) =>
            id === ownId || !active ? (
              t(active ? `role.${role}` : 'accounts.inactive')
            ) : hasPassword || provider === null ? (
              <Form className={INLINE_FORM} method="post">
                <input name="account" type="hidden" value={id} />
                <SelectFrame>
                  <select
                    aria-label={t('accounts.roleOf', { name })}
                    className="control"
                    defaultValue={role}
                    name="role"
                  >
                    {roles.map((value) => (
                      <option key={value} value={value}>
                        {t(`role.${value}`)}
                      </option>
                    ))}
                  </select>
                </SelectFrame>
                <ActionButton intent="role">{t('accounts.change')}</ActionButton>
              </Form>
            ) : (
              <>
                {t(`role.${role}`)}
                <span className="block text-ink-2">
                  {t('accounts.roleFrom', { name: provider })}
                </span>
              </>
            ),
        },
        {
          head: t('secondFactor.title'),
          isLabelled: true,
          render: ({ hasSecondFactor }) =>
            t(hasSecondFactor ? 'accounts.factorOn' : 'accounts.factorOff'),
        },
        {
          head: t('sessions.seen'),
          isLabelled: true,
          render: ({ seenAt }) =>
            seenAt === null ? '–' : formatMoment(seenAt, language, UTC, 'short'),
        },
        {
          head: t('accounts.actions'),
          render: ({ id, name, active, takesPassword: isMailed }) =>
            id === ownId ? (
              t('accounts.you')
            ) : (
              <Form className={INLINE_FORM} method="post">
                <Link
                  aria-label={t('accounts.editOf', { name })}
                  className="desk-link"
                  to={`/admin/accounts/${id}`}
                >
                  {t('accounts.edit')}
                </Link>
                <input name="account" type="hidden" value={id} />
                {active ? (
                  <>
                    {isMailed ? (
                      <ActionButton intent="reset">{t('accounts.reset')}</ActionButton>
                    ) : null}
                    <ActionButton intent="sessions">{t('accounts.endSessions')}</ActionButton>
                    <ActionButton intent="deactivate">{t('accounts.deactivate')}</ActionButton>
                  </>
                ) : (
                  <ActionButton intent="reactivate">{t('accounts.reactivate')}</ActionButton>
                )}
              </Form>
            ),
        },
      ]}
      entries={accounts}
      rowOf={({ id, active }) => ({
        key: id,
        className: classNames(
          'max-wide:grid-cols-1 max-wide:px-0 [&>*]:max-wide:wrap-anywhere',
          !active && 'text-ink-2',
        ),
      })}
    />
  );
}

const ActionButton = ({ intent, children }: { intent: Done; children: string }) => (
  <button className="link-button" name="intent" value={intent}>
    {children}
  </button>
);

/** Invitations that have not been accepted. */
function Invitations({ invitations }: Pick<Loaded, 'invitations'>) {
  const { t, language } = useTranslation('staff');
  return (
    <section>
      <h2>{t('invite.open')}</h2>
      <ul>
        {invitations.map(({ id, name, email, role, expiresAt }) => (
          <li
            className="flex flex-wrap justify-between gap-x-4 gap-y-1 border-b border-line py-2"
            key={id}
          >
            <span>
              {name} · <bdi dir="ltr">{email}</bdi> · {t(`role.${role}`)} ·{' '}
              {t('invite.until', { day: formatDate(toPlainDate(expiresAt, UTC), language) })}
            </span>
            <RowAction intent="withdraw" name="account" value={id}>
              {t('invite.withdraw')}
            </RowAction>
          </li>
        ))}
      </ul>
    </section>
  );
}
