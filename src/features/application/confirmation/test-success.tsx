import { useTranslation } from '~/ui/texts/texts.tsx';
import type { Money } from '~/base/money.ts';
import { formatMoney } from '~/base/money.ts';
import { ButtonLink } from '~/ui/button.tsx';
import { Card, Facts } from '~/ui/card.tsx';
import { NarrowPage, PageHead } from '~/ui/layout.tsx';
import { StatusTag } from '~/ui/status-tag.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';

export type TestPaymentView = {
  orderNumber: string | null;
  transactionId: string | null;
  total: Money | null;
};

/** A payment made on the test pages, which belongs to no application. */
export function TestSuccess({ view }: { view: TestPaymentView }) {
  const { t } = useTranslation('payment');
  const language = useLanguage();
  const { orderNumber, transactionId, total } = view;
  return (
    <NarrowPage>
      <PageHead lead={t('test.text')} title={t('test.title')}>
        <StatusTag icon="check" tone="green">
          {t('test.tag')}
        </StatusTag>
      </PageHead>
      {(orderNumber ?? transactionId ?? total) ? (
        <Card>
          <Facts
            facts={[
              ...(orderNumber
                ? [
                    {
                      term: t('fact.order'),
                      value: orderNumber,
                      mono: true,
                      testId: 'application-number',
                    },
                  ]
                : []),
              ...(transactionId
                ? [{ term: t('fact.transaction'), value: transactionId, mono: true }]
                : []),
              ...(total
                ? [{ term: t('fact.amount'), value: <bdi>{formatMoney(total, language)}</bdi> }]
                : []),
            ]}
            layout="rows"
          />
        </Card>
      ) : null}
      <div className="form-actions">
        <ButtonLink to={orderNumber ? `/status?ref=${orderNumber}` : '/status'}>
          {t('stopped.status')}
        </ButtonLink>
        <ButtonLink look="plain" to="/">
          {t('stopped.home')}
        </ButtonLink>
      </div>
    </NarrowPage>
  );
}
