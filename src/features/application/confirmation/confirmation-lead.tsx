import { Trans, useTranslation } from '~/ui/texts/texts.tsx';
import type { TextKey } from '~/base/text-keys.ts';
import { Moment } from '~/ui/moment.tsx';
import type { StatusView } from '../status/status-view.ts';
import { sharedPromise } from '../travellers.ts';
import type { SuccessView } from './success-view.server.ts';

/** The promised moment, and the address we write to. */
export function ConfirmationLead({ view }: { view: SuccessView }) {
  const { t } = useTranslation('application');
  const [first] = view.applications;
  const email = view.email;
  const hasInsurance = view.applications.some(({ kind }) => kind === 'insurance');
  if (view.isOfSeveral) return <OrderLead view={view} />;
  if (first?.kind === 'insurance') return <InsuranceLead email={email} view={first} />;
  if (first?.decidedAt) return t('success.decided');
  return (
    <>
      {first?.promisedAt ? (
        <Trans
          components={{ promise: <Moment at={first.promisedAt} /> }}
          i18nKey="text.ready"
          t={t}
        />
      ) : null}{' '}
      {email ? <Written email={email} sentence="success.write" /> : t('success.writeShort')}{' '}
      {hasInsurance ? t('success.insuredToo') : null}
    </>
  );
}

/**
 * For several travellers: the moment shared by all visas. Where they differ, each stands with the traveller's numbers.
 */
function OrderLead({ view: { applications } }: { view: SuccessView }) {
  const { t } = useTranslation('application');
  const shared = sharedPromise(applications);
  return (
    <>
      {shared ? (
        <Trans components={{ promise: <Moment at={shared} /> }} i18nKey="success.readyAll" t={t} />
      ) : (
        t('success.readyEach')
      )}{' '}
      {t('success.writeEach')}{' '}
      {applications.some(({ kind }) => kind === 'insurance') ? t('success.insuredEach') : null}
    </>
  );
}

/** When the certificate comes: at once, or once staff have checked a minor's application. */
function InsuranceLead({ view, email }: { view: StatusView; email: string | null }) {
  const { t } = useTranslation('application');
  if (view.status === 'rejected') return t('success.decided');
  if (view.document) return t('success.insuredReady');
  const sentence = view.decidedBy === 'reviewer' ? 'success.insuredReviewed' : 'success.insured';
  return (
    <>
      {email ? <Written email={email} sentence={sentence} /> : t(`${sentence}Short`)}{' '}
      {view.promisedAt ? (
        <Trans
          components={{ moment: <Moment at={view.promisedAt} /> }}
          i18nKey="text.readyInsurance"
          t={t}
        />
      ) : null}
    </>
  );
}

function Written({ sentence, email }: { sentence: TextKey<'application'>; email: string }) {
  const { t } = useTranslation('application');
  return (
    <Trans components={{ email: <bdi dir="ltr" /> }} i18nKey={sentence} t={t} values={{ email }} />
  );
}
