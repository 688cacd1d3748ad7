import type { ReactNode } from 'react';
import { formatMoney, type Money } from '~/base/money.ts';
import { BANK_DAYS, TRANSFER_DAYS } from '~/features/order/refund-policy.ts';
import { ButtonLink } from '~/ui/button.tsx';
import { FormActions } from '~/ui/layout.tsx';
import { Form } from '~/ui/page/form.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { Uncancellable } from './cancellation.ts';
import type { Named } from './cancel-view.server.ts';

/** The address of a number's status page. */
export const statusPath = (reference: string): string =>
  `/status?${new URLSearchParams({ ref: reference })}`;

/** When refunded money arrives. */
export function useArrival(): string {
  const { t } = useTranslation('cancellation');
  return t('arrival', {
    min: TRANSFER_DAYS.min,
    max: TRANSFER_DAYS.max,
    bankMin: BANK_DAYS.min,
    bankMax: BANK_DAYS.max,
  });
}

/**
 * The form that confirms what a page shows: an id, so that pressing twice does it once, and the amounts, so that no
 * others are booked.
 */
export function ConfirmForm({
  id,
  shown,
  reference,
  numbers = [],
  leave,
  children,
}: {
  id: string;
  shown: string;
  reference: string;
  /** The applications that it is about, where the page lets choose. */
  numbers?: readonly string[];
  /** The words of the link that leads back without doing it. */
  leave: string;
  /** The button. */
  children: ReactNode;
}) {
  return (
    <Form className="mt-6" method="post">
      <input name="ref" type="hidden" value={reference} />
      <input name="id" type="hidden" value={id} />
      <input name="shown" type="hidden" value={shown} />
      {numbers.map((number) => (
        <input key={number} name="app" type="hidden" value={number} />
      ))}
      <FormActions>
        {children}
        <ButtonLink look="plain" to={statusPath(reference)}>
          {leave}
        </ButtonLink>
      </FormActions>
    </Form>
  );
}

/** For a browser that is not the payer's: how to make it one. */
export function LinkView({ reference }: { reference: string }) {
  const { t } = useTranslation('cancellation');
  return (
    <>
      <p>{t('link.text')}</p>
      <p className="mt-3">{t('link.why')}</p>
      <FormActions>
        <ButtonLink to="/status/lost-number">{t('link.button')}</ButtonLink>
        <ButtonLink look="plain" to={statusPath(reference)}>
          {t('back')}
        </ButtonLink>
      </FormActions>
    </>
  );
}

/** Nothing can be cancelled any more, with the reason for each application. */
export function NothingView({
  reference,
  why,
}: {
  reference: string;
  why: readonly (Named & { why: Uncancellable })[];
}) {
  const { t } = useTranslation(['cancellation', 'application']);
  return (
    <>
      <p>{t('nothing.text')}</p>
      <ul className="mt-4 grid list-disc grid-cols-1 gap-2 ps-6">
        {why.map(({ number, kind, name, why: reason }) => (
          <li key={number}>
            {t('what', { what: t(`application:kind.${kind}`), name })}: {t(`nothing.${reason}`)}
          </li>
        ))}
      </ul>
      <FormActions>
        <ButtonLink to={statusPath(reference)}>{t('back')}</ButtonLink>
      </FormActions>
    </>
  );
}

/** After a cancellation: what is refunded, and when it arrives. */
export function DoneView({ reference, refund }: { reference: string; refund: Money | null }) {
  const { t } = useTranslation('cancellation');
  const language = useLanguage();
  const arrival = useArrival();
  return (
    <>
      <p role="status">
        {refund ? t('done.refund', { amount: formatMoney(refund, language) }) : t('done.noRefund')}
      </p>
      {refund ? <p className="mt-3">{arrival}</p> : null}
      <p className="mt-3">{t('done.email')}</p>
      <FormActions>
        <ButtonLink to={statusPath(reference)}>{t('back')}</ButtonLink>
      </FormActions>
    </>
  );
}
