import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from '~/ui/page/form.tsx';
import { formatMoney, type Money } from '~/base/money.ts';
import { changePath } from '~/features/order/payer/payer-links.ts';
import { firstWay, OtherWay, PayOtherWay } from '~/features/order/pay-form.tsx';
import { MAX_RETRIES } from '~/features/order/payment-start.ts';
import type { ProviderName } from '~/base/payment-providers.ts';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { Card } from '~/ui/card.tsx';
import { FormActions, NarrowPage, PageHead } from '~/ui/layout.tsx';
import { Notice } from '~/ui/notice.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { ScriptsInput } from '~/ui/scripts-input.tsx';

type SubmittedPanelProps = {
  applicationNumber: string;
  orderNumber: string;
  total: Money;
  /** How many travellers the order is for. */
  travellers: number;
  isStartFailed: boolean;
  retries: number;
  /** Another way to pay, or another provider where the first could not be opened. */
  other: ProviderName | null;
  isBusy: boolean;
  onRetry: () => void;
};

/** A stored, unpaid application: its number, payment and status page. */
export function SubmittedPanel(props: SubmittedPanelProps) {
  const { applicationNumber, orderNumber, total, isBusy, onRetry } = props;
  const { isStartFailed, retries, other, travellers } = props;
  const { t, language } = useTranslation(['visa', 'payment']);
  const amount = formatMoney(total, language);
  const isGroup = travellers > 1;
  const title = t(isGroup ? 'submitted.titleGroup' : 'submitted.title');
  const left = MAX_RETRIES - retries;
  const words = t(isStartFailed ? 'submitted.retry' : `payment:with.${firstWay(other)}`, {
    amount,
  });
  return (
    <NarrowPage>
      <title>{`${title} · Lale`}</title>
      <PageHead lead={t('submitted.lead')} title={title} />
      <Card>
        <p className="text-small text-ink-2">
          {t(isGroup ? 'submitted.orderNumber' : 'submitted.number')}
        </p>
        <p>
          <NumberCode
            size="display"
            testId="application-number"
            value={isGroup ? orderNumber : applicationNumber}
          />
        </p>
        <p className="text-small text-ink-2">
          {t(isGroup ? 'submitted.keepGroup' : 'submitted.keep')}
        </p>
      </Card>
      {isStartFailed ? (
        <Notice className="mt-6" tone="red">
          <p>{t('submitted.failed')}</p>
          <p>{left > 0 ? t('submitted.retriesLeft', { count: left }) : t('submitted.noRetries')}</p>
          {other === 'paypal' ? <p>{t('payment:other.note')}</p> : null}
        </Notice>
      ) : null}
      {isStartFailed && other ? (
        <div className="form-actions">
          <OtherWay
            look={left > 0 ? 'secondary' : 'primary'}
            orderNumber={orderNumber}
            provider={other}
          />
        </div>
      ) : null}
      <Form id="pay" method="post">
        <ScriptsInput />
        <FormActions>
          <Button
            busy={isBusy}
            disabled={isStartFailed && left <= 0}
            name="intent"
            onClick={
              isStartFailed
                ? (event) => {
                    // Pauses before each retry, to give the provider time.
                    event.preventDefault();
                    onRetry();
                  }
                : undefined
            }
            type="submit"
            value="pay"
          >
            {isBusy ? t('submitted.opening') : words}
          </Button>
          <PayOtherWay busy={isBusy} provider={isStartFailed ? null : other} total={total} />
          {isGroup ? null : (
            <ButtonLink look="plain" to={changePath(applicationNumber, applicationNumber)}>
              {t('submitted.change')}
            </ButtonLink>
          )}
          <ButtonLink look="plain" to={`/status?ref=${isGroup ? orderNumber : applicationNumber}`}>
            {t('submitted.status')}
          </ButtonLink>
          <Button look="plain" name="intent" value="another">
            {t('submitted.another')}
          </Button>
        </FormActions>
      </Form>
    </NarrowPage>
  );
}
