import { useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Form } from 'react-router';
import { Button } from '~/ui/button.tsx';

/** Specification, section 9. */
const RETRY_DELAY_MS = 2000;
export const MAX_RETRIES = 3;

/** Tries again to start a payment, three times at most; with scripts after a pause, which gives the partner time. */
export function RetryStart({ orderNumber, retries }: { orderNumber: string; retries: number }) {
  const { t } = useTranslation('payment');
  const [isWaiting, setWaiting] = useState(false);
  const hasWaited = useRef(false);
  const isOver = retries >= MAX_RETRIES;

  function waitFirst(event: FormEvent<HTMLFormElement>) {
    if (hasWaited.current) return;
    event.preventDefault();
    if (isWaiting) return;
    const form = event.currentTarget;
    setWaiting(true);
    setTimeout(() => {
      hasWaited.current = true;
      form.requestSubmit();
    }, RETRY_DELAY_MS);
  }

  return (
    <>
      <Form
        action="/pay"
        className="max-wide:w-full"
        method="post"
        onSubmit={waitFirst}
        reloadDocument
      >
        <input name="order" type="hidden" value={orderNumber} />
        <Button busy={isWaiting} className="max-wide:w-full" disabled={isOver}>
          {isWaiting ? t('issue.waiting') : t('issue.retry')}
        </Button>
      </Form>
      <Form action="/pay" className="max-wide:w-full" method="post" reloadDocument target="_blank">
        <input name="order" type="hidden" value={orderNumber} />
        <Button className="max-wide:w-full" disabled={isOver} look="secondary">
          {t('issue.newTab')}
        </Button>
      </Form>
    </>
  );
}
