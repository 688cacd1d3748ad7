import { useEffect } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useHref } from '~/ui/page/page-context.tsx';
import { ButtonLink } from '~/ui/button.tsx';
import { NarrowPage, PageHead } from '~/ui/layout.tsx';
import { useToast } from '~/ui/page/toast.tsx';
import { useReturn } from './checkout-redirect-form.tsx';

/** Milliseconds, enough to read two sentences. */
const HOME_MS = 8000;

/** For a redirect address without valid data: says so and goes to the home page, but not with who came back from there. */
export function CheckoutRedirectProblem({ wasShown }: { wasShown: boolean }) {
  const { t } = useTranslation('payment');
  const { toast } = useToast();
  const home = useHref('/');
  const isBack = useReturn(wasShown);
  useEffect(() => {
    if (isBack) return;
    toast({
      title: t('checkoutRedirect.error.title'),
      description: t('checkoutRedirect.error.toast'),
      tone: 'error',
    });
    const timer = setTimeout(() => location.assign(home), HOME_MS);
    return () => clearTimeout(timer);
  }, [home, isBack, t, toast]);
  return (
    <NarrowPage>
      <PageHead
        lead={t(isBack ? 'checkoutRedirect.error.back' : 'checkoutRedirect.error.text')}
        title={t('checkoutRedirect.error.title')}
      />
      <div className="form-actions">
        <ButtonLink to="/">{t('stopped.home')}</ButtonLink>
        <ButtonLink look="plain" to="/status">
          {t('stopped.status')}
        </ButtonLink>
      </div>
      {isBack ? null : (
        <noscript>
          <meta content={`${HOME_MS / 1000};url=/`} httpEquiv="refresh" />
        </noscript>
      )}
    </NarrowPage>
  );
}
