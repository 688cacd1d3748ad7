import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Button, ButtonAnchor, ButtonLink } from '~/ui/button.tsx';
import { FormActions, NarrowPage, PageHead } from '~/ui/layout.tsx';
import { Form } from '~/ui/page/form.tsx';
import type { CheckoutRedirect as ToPartner } from './provider.ts';

/** Milliseconds before the gateway's form is submitted or a partner's link followed, by the customer's specification. */
const FORM_MS = 1000;
const LINK_MS = 500;

/**
 * Whether the visitor came back to a page that sends its visitors on, so that it must not do so again. `wasShown`: the
 * server has sent this page to this browser before, which is all that is known without scripts.
 */
export function useReturn(wasShown: boolean): boolean {
  const [isBack, setBack] = useState(wasShown);
  useEffect(() => {
    const [opened] = performance.getEntriesByType('navigation');
    if (opened instanceof PerformanceNavigationTiming && opened.type === 'back_forward') {
      setBack(true);
    }
    // Kept by the browser as it was left.
    const show = ({ persisted }: PageTransitionEvent) => (persisted ? setBack(true) : undefined);
    addEventListener('pageshow', show);
    return () => removeEventListener('pageshow', show);
  }, []);
  return isBack;
}

/**
 * Leads to the provider: automatically after a moment, or at once by its button. Who comes back is asked what to do.
 * `change`: where the answers can be changed; null where this browser cannot.
 */
export function CheckoutRedirect({
  checkoutRedirect,
  wasShown,
  change,
}: {
  checkoutRedirect: ToPartner;
  wasShown: boolean;
  change: string | null;
}) {
  const { t } = useTranslation('payment');
  const isBack = useReturn(wasShown);
  return (
    <NarrowPage>
      <PageHead
        lead={t(isBack ? 'checkoutRedirect.back.text' : 'checkoutRedirect.text')}
        title={t(isBack ? 'checkoutRedirect.back.title' : 'checkoutRedirect.title')}
      />
      <FormActions>
        {checkoutRedirect.kind === 'form' ? (
          <PostForm {...checkoutRedirect} goesOn={!isBack} />
        ) : (
          <FollowLink goesOn={!isBack} url={checkoutRedirect.url} />
        )}
      </FormActions>
      {isBack ? (
        <Form method="post" reloadDocument>
          <FormActions>
            {change ? (
              <ButtonLink look="secondary" to={change}>
                {t('stopped.change')}
              </ButtonLink>
            ) : null}
            <Button look="plain" name="intent" value="cancel">
              {t('checkoutRedirect.back.cancel')}
            </Button>
          </FormActions>
        </Form>
      ) : null}
    </NarrowPage>
  );
}

/** A form of hidden fields. */
function PostForm({
  url,
  fields,
  goesOn,
}: {
  url: string;
  fields: Record<string, string>;
  goesOn: boolean;
}) {
  const { t } = useTranslation('payment');
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!goesOn) return;
    const timer = setTimeout(() => form.current?.submit(), FORM_MS);
    return () => clearTimeout(timer);
  }, [goesOn]);
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
function FollowLink({ url, goesOn }: { url: string; goesOn: boolean }) {
  const { t } = useTranslation('payment');
  useEffect(() => {
    if (!goesOn) return;
    const timer = setTimeout(() => location.assign(url), LINK_MS);
    return () => clearTimeout(timer);
  }, [url, goesOn]);
  return (
    <>
      <ButtonAnchor href={url}>{t('checkoutRedirect.button')}</ButtonAnchor>
      {goesOn ? (
        <noscript>
          <meta content={`1;url=${url}`} httpEquiv="refresh" />
        </noscript>
      ) : null}
    </>
  );
}
