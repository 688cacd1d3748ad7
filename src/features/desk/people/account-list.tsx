import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from 'react-router';
import { formatDate, formatMoment, dateOf, UTC } from '~/base/dates/dates.ts';
import { roles, type Role } from '~/features/staff/roles.ts';
import { SelectFrame } from '~/ui/fields/select-field.tsx';
import { Link } from '~/ui/page/link.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { classNames } from '~/ui/class-names.ts';
import { RowAction } from '../frame/panel.tsx';

/** A staff account; `seenAt` in milliseconds since 1970, null before its first use. */
export type ListedAccount = {
  id: string;
  name: string;
  email: string;
  role: Role;
  active: boolean;
  hasSecondFactor: boolean;
  /** Whether they can sign in with a password; the others do at the identity provider alone. */
  hasPassword: boolean;
  takesPassword: boolean;
  seenAt: number | null;
};

/** An invitation that is open; `expiresAt` in milliseconds since 1970. */
export type OpenInvitation = {
  id: string;
  email: string;
  name: string;
  role: Role;
  expiresAt: number;
};

/** The column's heading, shown in the cell on narrow screens. */
const CellLabel = ({ children }: { children: string }) => (
  <span className="text-ink-2 wide:hidden">{`${children}: `}</span>
);

const INLINE_FORM =
  'flex flex-wrap items-center gap-x-4 gap-y-1 [&_.control]:m-0 [&_.control]:w-auto [&_.select_.icon]:top-0';

/** One account, with an administrator's actions for it. */
export function AccountRow({
  account,
  isOwn,
  provider,
}: {
  account: ListedAccount;
  isOwn: boolean;
  /** What staff call the identity provider; null where there is none. */
  provider: string | null;
}) {
  const { t } = useTranslation('staff');
  const language = useLanguage();
  const { id, name, email, role, active, hasSecondFactor, seenAt, hasPassword } = account;
  const source = hasPassword ? null : provider;
  return (
    <tr
      className={classNames(
        'max-wide:grid-cols-1 max-wide:px-0 [&>*]:max-wide:wrap-anywhere',
        !active && 'text-ink-2',
      )}
    >
      <th className="text-[0.78125rem] text-ink-2" scope="row">
        <span className="block font-semibold text-ink">{name}</span>
        <bdi className="block min-w-48 wrap-anywhere" dir="ltr">
          {email}
        </bdi>
      </th>
      <td>
        {isOwn || !active ? (
          t(active ? `role.${role}` : 'accounts.inactive')
        ) : source !== null ? (
          <>
            {t(`role.${role}`)}
            <span className="block text-ink-2">{t('accounts.roleFrom', { name: source })}</span>
          </>
        ) : (
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
            <button className="link-button" name="intent" value="role">
              {t('accounts.change')}
            </button>
          </Form>
        )}
      </td>
      <td>
        <CellLabel>{t('secondFactor.title')}</CellLabel>
        {t(hasSecondFactor ? 'accounts.factorOn' : 'accounts.factorOff')}
      </td>
      <td>
        <CellLabel>{t('sessions.seen')}</CellLabel>
        {seenAt === null ? '–' : formatMoment(new Date(seenAt), language, UTC, 'short')}
      </td>
      <td>
        {isOwn ? (
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
                {account.takesPassword ? (
                  <button className="link-button" name="intent" value="reset">
                    {t('accounts.reset')}
                  </button>
                ) : null}
                <button className="link-button" name="intent" value="sessions">
                  {t('accounts.endSessions')}
                </button>
                <button className="link-button" name="intent" value="deactivate">
                  {t('accounts.deactivate')}
                </button>
              </>
            ) : (
              <button className="link-button" name="intent" value="reactivate">
                {t('accounts.reactivate')}
              </button>
            )}
          </Form>
        )}
      </td>
    </tr>
  );
}

/** Invitations that have not been accepted. */
export function Invitations({ invitations }: { invitations: readonly OpenInvitation[] }) {
  const { t } = useTranslation('staff');
  const language = useLanguage();
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
              {t('invite.until', { day: formatDate(dateOf(new Date(expiresAt), UTC), language) })}
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
