import type { FormEventHandler, ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from '~/ui/page/form.tsx';
import type { ProviderName } from '~/base/payment-providers.ts';
import { formatMoney, type Money } from '~/base/money.ts';
import { classNames } from '~/ui/class-names.ts';
import { Button } from '~/ui/button.tsx';

/**
 * A button that pays an unpaid order: `POST /pay`. A full page load, because the next page may submit a form to the
 * provider and needs its own security policy.
 */
export function PayForm({
  orderNumber,
  provider,
  look,
  busy,
  disabled,
  newTab,
  onSubmit,
  beside,
  children,
}: {
  orderNumber: string;
  /** By default the first configured one. */
  provider?: ProviderName;
  /** Another button of the form, below the first. */
  beside?: ReactNode;
  look?: 'primary' | 'secondary';
  busy?: boolean;
  disabled?: boolean;
  newTab?: boolean;
  onSubmit?: FormEventHandler<HTMLFormElement>;
  children: ReactNode;
}) {
  return (
    <Form
      action="/pay"
      className={classNames('max-wide:w-full', beside != null && 'flex flex-wrap gap-x-7 gap-y-5')}
      method="post"
      onSubmit={onSubmit}
      reloadDocument
      target={newTab ? '_blank' : undefined}
    >
      <input name="order" type="hidden" value={orderNumber} />
      {provider ? <input name="provider" type="hidden" value={provider} /> : null}
      <Button busy={busy} className="max-wide:w-full" disabled={disabled} look={look}>
        {children}
      </Button>
      {beside}
    </Form>
  );
}

/**
 * The other way to pay, as a second button of a form that pays: it sends `provider`, which `chosenProvider` reads. Nothing
 * where there is no other.
 */
export function PayOtherWay({
  provider,
  total,
  busy,
  className,
}: {
  provider: ProviderName | null;
  total: Money;
  /** While a payment begins: the button stays where it is, and does nothing. */
  busy?: boolean;
  className?: string;
}) {
  const { t, language } = useTranslation('payment');
  if (provider === null) return null;
  return (
    <Button
      aria-disabled={busy || undefined}
      className={className}
      look="secondary"
      name="provider"
      onClick={busy ? (event) => event.preventDefault() : undefined}
      type="submit"
      value={provider}
    >
      {t(`with.${provider}`, { amount: formatMoney(total, language) })}
    </Button>
  );
}

/** How the first of two buttons pays, beside one for the `other` provider; `any` where it is the only one. */
export function firstWay(other: ProviderName | null): 'card' | 'paypal' | 'any' {
  if (other === null) return 'any';
  return other === 'paypal' ? 'card' : 'paypal';
}

/** Whether the form that is being sent pays, at the first provider or the other one. */
export const isPaying = (sending: FormData | null): boolean =>
  sending !== null && (sending.get('intent') === 'pay' || sending.has('provider'));

/** The other provider, offered where the first failed to start or declined. */
export function OtherWay({
  orderNumber,
  provider,
  look = 'secondary',
}: {
  orderNumber: string;
  provider: ProviderName;
  look?: 'primary' | 'secondary';
}) {
  const { t } = useTranslation('payment');
  return (
    <PayForm look={look} orderNumber={orderNumber} provider={provider}>
      {t(`other.${provider}`)}
    </PayForm>
  );
}
