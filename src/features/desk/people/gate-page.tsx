import type { ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from 'react-router';
import { Link } from '~/ui/page/link.tsx';
import type { CodeIn } from '~/base/text-keys.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '~/features/staff/passwords.ts';
import { Button } from '~/ui/button.tsx';
import { FormHead, type FieldProblem } from '~/ui/fields/error-summary.tsx';
import { Gate } from '~/features/staff/code-field.tsx';
import { SignOnLink } from '~/features/staff/sign-in-form.tsx';
import { Notice } from '~/ui/notice.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import { DeskPage } from '../frame/desk-page.tsx';

/** A page before the desk. `wait`: seconds until this address may try again; null where it may. */
export function GatePage({
  title,
  problems = [],
  wait = null,
  children,
}: {
  title: string;
  problems?: readonly FieldProblem[];
  wait?: number | null;
  children: ReactNode;
}) {
  const { t } = useTranslation('staff');
  const waiting =
    wait === null
      ? []
      : [{ name: null, message: t('error.too_many', { count: Math.ceil(wait / 60) }) }];
  return (
    <DeskPage isGate>
      <Gate>
        <FormHead problems={[...problems, ...waiting]} title={`${title} – Lale`} />
        <h1 className="text-h2-form">{title}</h1>
        {children}
      </Gate>
    </DeskPage>
  );
}

/** Sets a password by a link; where the link does not work, says what to do instead. */
export function NewPasswordPage({
  title,
  open,
  problem,
  wait,
  over,
  other,
  offer = null,
}: {
  /** An identity provider to sign in at instead of choosing a password; alone where no password is taken. */
  offer?: { name: string; takesPassword: boolean } | null;
  title: string;
  /** Null where the link no longer works, or was not checked. */
  open: { lead: string; email: string; label: string; submit: string } | null;
  /** What is wrong with the password: texts are `staff:password.<problem>`. */
  problem: CodeIn<'staff', 'password'> | undefined;
  /** Seconds until this address may try links again; null where it may. */
  wait: number | null;
  /** Shown where the link no longer works. */
  over: string;
  other: { to: string; label: string };
}) {
  const { t } = useTranslation('staff');
  const message =
    problem && t(`password.${problem}`, { count: MIN_PASSWORD_LENGTH, limit: MAX_PASSWORD_LENGTH });
  return (
    <GatePage problems={message ? [{ name: 'password', message }] : []} title={title} wait={wait}>
      {open ? (
        <>
          <p className="mt-1 mb-5 text-ink-2">{open.lead}</p>
          {offer ? <SignOnLink name={offer.name} next="/admin" /> : null}
          {offer?.takesPassword ? (
            <h2 className="mb-4 border-t border-line pt-6 text-label">{t('signOn.orPassword')}</h2>
          ) : null}
          {offer && !offer.takesPassword ? null : (
            <Form method="post">
              {/* Tells password managers which account the password is for. */}
              <TextField
                autoComplete="username"
                label={t('signIn.email')}
                latin
                name="email"
                readOnly
                type="email"
                value={open.email}
                width="full"
              />
              <TextField
                autoComplete="new-password"
                error={message}
                hint={t('password.hint', { count: MIN_PASSWORD_LENGTH })}
                label={open.label}
                latin
                name="password"
                type="password"
                width="full"
              />
              <Button look={offer ? 'secondary' : 'primary'} wide>
                {open.submit}
              </Button>
            </Form>
          )}
        </>
      ) : (
        <>
          {wait === null ? (
            <Notice className="mt-4" tone="amber">
              {over}
            </Notice>
          ) : null}
          <p className="mt-4 text-center">
            <Link to={other.to}>{other.label}</Link>
          </p>
        </>
      )}
    </GatePage>
  );
}
