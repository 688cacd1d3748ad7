import type { ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form, useNavigation } from 'react-router';
import { Link } from '~/ui/page/link.tsx';
import { useHref } from '~/ui/page/page-context.tsx';
import { CodeField, Gate } from './code-field.tsx';
import { Button, ButtonAnchor } from '~/ui/button.tsx';
import { FormHead } from '~/ui/fields/error-summary.tsx';
import { FormActions, FormFields } from '~/ui/layout.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { Notice } from '~/ui/notice.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import { WRONG_PASSWORD_ALERT } from './staff.ts';

export type SignInProblem =
  | { code: 'wrong_password' | 'wrong_code' | 'wrong_passkey' | 'signed_out' }
  | { code: 'email_required' | 'password_required' | 'code_required' }
  | { code: 'too_many'; retryAfterSeconds: number };

const fieldOf: Partial<Record<SignInProblem['code'], string>> = {
  email_required: 'email',
  password_required: 'password',
  code_required: 'code',
  wrong_code: 'code',
};

/** Sign-in beside or instead of passwords: what staff call the identity provider; and who still has a password. */
export type SingleSignOnOffer = { name: string; passwords: 'all' | 'some' | 'none' };

/**
 * Sign-in: at the identity provider where there is one, or by email and password; then, where it is set up, the code of
 * the second factor.
 */
export function SignInForm({
  needsCode,
  next,
  email,
  problem,
  isReset = false,
  isEnded = false,
  singleSignOn = null,
  passkeys = false,
}: {
  /** Whether a passkey can be shown here. */
  passkeys?: boolean;
  singleSignOn?: SingleSignOnOffer | null;
  /** A new password has just been chosen by a link. */
  isReset?: boolean;
  /** The browser was signed in until its session ended. */
  isEnded?: boolean;
  needsCode: boolean;
  /** The page of the desk to open afterwards. */
  next: string;
  /** What was typed before. */
  email?: string | undefined;
  problem?: SignInProblem | undefined;
}) {
  const { t } = useTranslation('staff');
  const busy = useNavigation().state !== 'idle';
  const field = problem ? fieldOf[problem.code] : undefined;
  const text = useProblemText(problem);
  const errorAt = (name: string) => (field === name ? text : undefined);
  return (
    <Gate>
      <FormHead
        problems={
          problem
            ? [
                {
                  name: field ?? null,
                  message: field ? text : <ProblemText problem={problem} text={text} />,
                },
              ]
            : []
        }
        title={`${t('signIn.pageTitle')} – Lale`}
      />
      {isReset && !problem ? (
        <Notice className="mb-5" role="status" tone="green">
          {t('reset.done')}
        </Notice>
      ) : null}
      {isEnded && !problem ? (
        <Notice className="mb-5" tone="blue">
          {t('signIn.ended')}
        </Notice>
      ) : null}
      <h1 className="text-h2-form">{needsCode ? t('signIn.codeTitle') : t('signIn.title')}</h1>
      <p className="mt-1 mb-5 text-ink-2">{needsCode ? t('signIn.codeLead') : t('signIn.lead')}</p>
      {passkeys ? <PasskeyButton next={next} /> : null}
      {needsCode || !singleSignOn ? null : <SignOnLink name={singleSignOn.name} next={next} />}
      <Passwords isOpen={problem !== undefined} offer={needsCode ? null : singleSignOn}>
        <Form method="post" action="/admin" replace>
          <input name="next" type="hidden" value={next} />
          <FormFields>
            {needsCode ? (
              <CodeField error={errorAt('code')} label={t('signIn.code')} />
            ) : (
              <>
                <TextField
                  autoComplete="username"
                  defaultValue={email}
                  error={errorAt('email')}
                  label={t('signIn.email')}
                  latin
                  name="email"
                  type="email"
                  width="full"
                />
                <TextField
                  autoComplete="current-password"
                  error={errorAt('password')}
                  label={t('signIn.password')}
                  latin
                  name="password"
                  type="password"
                  width="full"
                />
              </>
            )}
          </FormFields>
          <FormActions>
            <Button busy={busy} look={singleSignOn && !needsCode ? 'secondary' : 'primary'} wide>
              {needsCode ? t('signIn.codeSubmit') : t('signIn.submit')}
            </Button>
          </FormActions>
        </Form>
      </Passwords>
      {needsCode ? (
        <Form method="post" action="/admin/sign-out" className="mt-4 text-center">
          <button className="link-button">{t('signIn.startOver')}</button>
        </Form>
      ) : (
        <>
          {singleSignOn?.passwords === 'none' ? null : (
            <p className="mt-4 text-center">
              <Link to="/admin/forgotten">{t('forgotten.title')}</Link>
            </p>
          )}
          <p className="mt-4 text-center">
            <Link to="/">{t('signIn.back')}</Link>
          </p>
        </>
      )}
    </Gate>
  );
}

/** A plain link: the answer leads to another site, where a form of ours must not be sent to. */
export function SignOnLink({ name, next }: { name: string; next: string }) {
  const { t } = useTranslation('staff');
  const href = useHref('/admin/single-sign-on');
  return (
    <ButtonAnchor className="mb-6" href={`${href}?next=${encodeURIComponent(next)}`} wide>
      {t('signOn.submit', { name })}
    </ButtonAnchor>
  );
}

/** The form for a password: for everybody, folded away where few have one, or not at all. */
function Passwords({
  offer,
  isOpen,
  children,
}: {
  offer: SingleSignOnOffer | null;
  isOpen: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation('staff');
  if (!offer) return children;
  if (offer.passwords === 'none') return null;
  if (offer.passwords === 'some') {
    return (
      <details open={isOpen || undefined}>
        <summary className="mb-4">{t('signOn.emergency')}</summary>
        {children}
      </details>
    );
  }
  return (
    <>
      <h2 className="mb-4 border-t border-line pt-6 text-label">{t('signOn.orPassword')}</h2>
      {children}
    </>
  );
}

function useProblemText(problem: SignInProblem | undefined): string | undefined {
  const { t } = useTranslation('staff');
  if (!problem) return undefined;
  if (problem.code !== 'too_many') return t(`error.${problem.code}`);
  return t('error.too_many', { count: Math.ceil(problem.retryAfterSeconds / 60) });
}

/**
 * The specification's message for a wrong password is Turkish. The page's own language follows, and is what screen readers
 * say.
 */
function ProblemText({ problem, text }: { problem: SignInProblem; text: string | undefined }) {
  const { language } = useTranslation();
  if (problem.code !== 'wrong_password') return text;
  const isTurkish = language === 'tr';
  return (
    <>
      <span aria-hidden={!isTurkish} className="block font-semibold" lang="tr">
        {WRONG_PASSWORD_ALERT}
      </span>
      {isTurkish ? null : text}
    </>
  );
}
