import { useEffect, useRef } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Button, ButtonAnchor } from '~/ui/button.tsx';
import { NarrowPage, PageHead } from '~/ui/layout.tsx';
import type { CheckoutRedirect as ToPartner } from './provider.ts';

/** Milliseconds before the gateway's form is submitted or a partner's link followed, by the customer's specification. */
const FORM_MS = 1000;
const LINK_MS = 500;

/** Leads to the provider: automatically after a moment, or at once by its button. */
export function CheckoutRedirect({ checkoutRedirect }: { checkoutRedirect: ToPartner }) {
  const { t } = useTranslation('payment');
  return (
    <NarrowPage>
      <PageHead lead={t('checkoutRedirect.text')} title={t('checkoutRedirect.title')} />
      {checkoutRedirect.kind === 'form' ? (
        <PostForm {...checkoutRedirect} />
      ) : (
        <FollowLink url={checkoutRedirect.url} />
      )}
    </NarrowPage>
  );
}

/** A form of hidden fields. */
function PostForm({ url, fields }: { url: string; fields: Record<string, string> }) {
  const { t } = useTranslation('payment');
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => form.current?.submit(), FORM_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <form action={url} method="post" ref={form}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} name={name} type="hidden" value={value} />
      ))}
      <Button>{t('checkoutRedirect.button')}</Button>
    </form>
  );
}

/**
 * A page instead of a redirect: browsers would check a redirect against the security policy of the form that led here.
 */
function FollowLink({ url }: { url: string }) {
  const { t } = useTranslation('payment');
  useEffect(() => {
    const timer = setTimeout(() => location.assign(url), LINK_MS);
    return () => clearTimeout(timer);
  }, [url]);
  return (
    <>
      <ButtonAnchor href={url}>{t('checkoutRedirect.button')}</ButtonAnchor>
      <noscript>
        <meta content={`1;url=${url}`} httpEquiv="refresh" />
      </noscript>
    </>
  );
}
