import { Trans, useTranslation } from 'react-i18next';
import { PromisedMoment } from './moment.tsx';
import type { SuccessView } from './success-view.server.ts';

/** By when it is promised, and to whom we write. */
export function ConfirmationLead({ view }: { view: SuccessView }) {
  const { t } = useTranslation('application');
  const [first] = view.applications;
  const email = view.email;
  const isDecided = view.applications.some(({ decidedAt }) => decidedAt !== null);
  if (isDecided) return t('success.decided');
  if (first?.kind === 'insurance') {
    return email ? <Written email={email} sentence="success.insured" /> : t('success.insuredShort');
  }
  return (
    <>
      {first?.promisedAt ? (
        <Trans
          components={{ promise: <PromisedMoment at={first.promisedAt} /> }}
          i18nKey="success.ready"
          t={t}
        />
      ) : null}{' '}
      {email ? <Written email={email} sentence="success.write" /> : t('success.writeShort')}
    </>
  );
}

function Written({ sentence, email }: { sentence: string; email: string }) {
  const { t } = useTranslation('application');
  return (
    <Trans components={{ email: <bdi dir="ltr" /> }} i18nKey={sentence} t={t} values={{ email }} />
  );
}
