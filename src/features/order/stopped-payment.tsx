import { useTranslation } from 'react-i18next';
import { isLanguage } from '~/base/languages.ts';
import { formatMoney, type Money } from '~/base/money.ts';
import { ButtonLink } from '~/ui/button.tsx';
import { Card, Facts } from '~/ui/card.tsx';
import { NarrowPage, PageHead } from '~/ui/layout.tsx';
import { NumberCode } from '~/ui/number-code.tsx';
import { StatusTag } from '~/ui/status-tag.tsx';
import { PayForm } from './pay-form.tsx';
import { MAX_RETRIES } from './payment-start.ts';
import { RetryStart } from './retry-start.tsx';
import { reasonKey, type StoppedKind } from './stopped.ts';
import { SystemStatus, type SystemFacts } from './system-status.tsx';

export type Stopped = {
  orderNumber: string;
  total: Money;
  reason: string | null;
  transactionId: string | null;
  /** How many of the three retries of a start that failed are used. */
  retries: number;
};

/** What happened, that nothing was charged, and how to go on with the same application. */
export function StoppedPayment({
  kind,
  stopped,
  system,
}: {
  kind: StoppedKind;
  stopped: Stopped | null;
  system: SystemFacts;
}) {
  const { t } = useTranslation('payment');
  const isProblem = kind === 'error' || kind === 'issue';
  return (
    <NarrowPage>
      <PageHead lead={t(`stopped.${kind}.text`)} title={t(`stopped.${kind}.title`)}>
        <StatusTag
          tone={kind === 'cancelled' ? 'neutral' : kind === 'unfinished' ? 'amber' : 'red'}
        >
          {t(`stopped.${kind}.tag`)}
        </StatusTag>
      </PageHead>
      {stopped ? <References kind={kind} stopped={stopped} /> : null}
      {stopped ? (
        <>
          <div className="form-actions">
            {kind === 'issue' ? (
              <RetryStart orderNumber={stopped.orderNumber} retries={stopped.retries} />
            ) : (
              <PayForm orderNumber={stopped.orderNumber}>{t('stopped.again')}</PayForm>
            )}
            <ButtonLink look="secondary" to={`/status?ref=${stopped.orderNumber}`}>
              {t('stopped.status')}
            </ButtonLink>
          </div>
          {kind === 'issue' ? (
            <p className="small mt-4 text-ink-2">
              {t('issue.attempts', { used: stopped.retries, total: MAX_RETRIES })}
            </p>
          ) : null}
        </>
      ) : null}
      <div className="form-actions">
        <ButtonLink look={stopped ? 'plain' : 'primary'} to="/application">
          {t('stopped.application')}
        </ButtonLink>
        {stopped ? null : (
          <ButtonLink look="secondary" to="/status">
            {t('stopped.status')}
          </ButtonLink>
        )}
        <ButtonLink look="plain" to="/">
          {t('stopped.home')}
        </ButtonLink>
      </div>
      {isProblem ? (
        <SystemStatus facts={system} orderNumber={stopped?.orderNumber ?? null} />
      ) : null}
    </NarrowPage>
  );
}

function References({ kind, stopped }: { kind: StoppedKind; stopped: Stopped }) {
  const { t, i18n } = useTranslation('payment');
  const language = isLanguage(i18n.language) ? i18n.language : 'en';
  const { orderNumber, transactionId, total, reason } = stopped;
  const hasReason = kind === 'declined' || kind === 'failed';
  return (
    <Card>
      <Facts
        facts={[
          ...(hasReason
            ? [{ term: t('fact.reason'), value: t(`reason.${reasonKey(reason)}`) }]
            : []),
          {
            term: t('fact.order'),
            value: <NumberCode value={orderNumber} />,
            testId: 'application-number',
          },
          ...(transactionId
            ? [{ term: t('fact.transaction'), value: transactionId, mono: true }]
            : []),
          { term: t('fact.amount'), value: <bdi>{formatMoney(total, language)}</bdi> },
        ]}
        layout="rows"
      />
    </Card>
  );
}
