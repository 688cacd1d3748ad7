import { Gate } from '~/features/staff/code-field.tsx';
import type { SignOnProblem } from '~/features/staff/single-sign-on/sign-on.server.ts';
import { Notice } from '~/ui/notice.tsx';
import { Link } from '~/ui/page/link.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { DeskPage } from '../frame/desk-page.tsx';

/** Says why a sign-in at the identity provider did not lead to the desk, and what to do. */
export function SignOnFailure({ problem }: { problem: SignOnProblem }) {
  const { t } = useTranslation('staff');
  const title = t('signOn.failed');
  return (
    <DeskPage isGate>
      <Gate>
        <title>{`${title} – Lale`}</title>
        <h1 className="text-h2-form">{title}</h1>
        <Notice className="mt-4" role="alert" tone={problem === 'denied' ? 'amber' : 'red'}>
          {t(`signOn.problem.${problem}`)}
        </Notice>
        <p className="mt-4 text-center">
          <Link to="/admin">{t('signIn.title')}</Link>
        </p>
      </Gate>
    </DeskPage>
  );
}
