import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form, useNavigation } from 'react-router';
import { Link } from '~/ui/page/link.tsx';
import { CodeField } from '~/features/staff/code-field.tsx';
import { Button } from '~/ui/button.tsx';
import { ErrorSummary, type FieldProblem } from '~/ui/fields/error-summary.tsx';
import { FormActions, FormFields } from '~/ui/layout.tsx';
import { Gate } from './gate.tsx';
import { Notice } from '~/ui/notice.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import { WRONG_PASSWORD_ALERT } from './staff.ts';

export type SignInProblem =
  | { code: 'wrong_password' | 'wrong_code' | 'signed_out' }
  | { code: 'email_required' | 'password_required' | 'code_required' }
  | { code: 'too_many'; retryAfterSeconds: number };

const fieldOf: Partial<Record<SignInProblem['code'], string>> = {
  email_required: 'email',
  password_required: 'password',
  code_required: 'code',
  wrong_code: 'code',
};

/** Sign-in: email and password, then, where it is set up, the code of the second factor. */
export function SignInForm({
  needsCode,
  next,
  email,
  problem,
  isReset = false,
}: {
  /** A new password has just been chosen by a link. */
  isReset?: boolean;
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
  const problems: FieldProblem[] = field && text ? [{ name: field, message: text }] : [];
  const errorAt = (name: string) => (field === name ? text : undefined);
  return (
    <Gate>
      <title>{`${problem ? `${t('ui:errorSummary.titlePrefix')} ` : ''}${t('signIn.pageTitle')} – Lale`}</title>
      <ErrorSummary problems={problems} />
      {isReset && !problem ? (
        <Notice className="mb-5" role="status" tone="green">
          {t('reset.done')}
        </Notice>
      ) : null}
      {problem && !field ? <ProblemNotice problem={problem} text={text} /> : null}
      <h1 className="text-h2-form">{needsCode ? t('signIn.codeTitle') : t('signIn.title')}</h1>
      <p className="mt-1 mb-5 text-ink-2">{needsCode ? t('signIn.codeLead') : t('signIn.lead')}</p>
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
          <Button busy={busy} wide>
            {needsCode ? t('signIn.codeSubmit') : t('signIn.submit')}
          </Button>
        </FormActions>
      </Form>
      {needsCode ? (
        <Form method="post" action="/admin/sign-out" className="mt-4 text-center">
          <button className="link-button">{t('signIn.startOver')}</button>
        </Form>
      ) : (
        <>
          <p className="mt-4 text-center">
            <Link to="/admin/forgotten">{t('forgotten.title')}</Link>
          </p>
          <p className="mt-4 text-center">
            <Link to="/">{t('signIn.back')}</Link>
          </p>
        </>
      )}
    </Gate>
  );
}

function useProblemText(problem: SignInProblem | undefined): string | undefined {
  const { t } = useTranslation('staff');
  if (!problem) return undefined;
  if (problem.code !== 'too_many') return t(`error.${problem.code}`);
  return t('error.too_many', { count: Math.ceil(problem.retryAfterSeconds / 60) });
}

/** The specification's message for a wrong password is Turkish; the page's own language follows. */
function ProblemNotice({ problem, text }: { problem: SignInProblem; text: string | undefined }) {
  const { i18n } = useTranslation();
  const alert =
    problem.code === 'wrong_password' ? <span lang="tr">{WRONG_PASSWORD_ALERT}</span> : undefined;
  const isSaid = alert !== undefined && i18n.language === 'tr';
  return (
    <Notice className="mb-5" role="alert" title={alert} tone="red">
      {isSaid ? null : <p>{text}</p>}
    </Notice>
  );
}
