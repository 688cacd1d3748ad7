import { useState } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { HomeLink, LabFacts, Raw } from '../paypal-page/lab-frame.tsx';
import { Button } from '~/ui/button.tsx';
import { FormActions } from '~/ui/layout.tsx';
import { useHasScripts } from '~/ui/scripts-input.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import { useToast } from '~/ui/page/toast.tsx';
import { labContext } from '../context.server.ts';
import { redirectAddress, startPayment } from '../debug-payment.ts';
import {
  DEBUG_DIRECT_REDIRECT_MS,
  DEBUG_PAYMENT_REDIRECT_MS,
  turkish,
} from '../paypal-page/specification.ts';
import { useLeave } from '../paypal-page/use-paypal-payment.tsx';
import type { Route } from './+types/debug.ts';

export function loader({ context }: Route.LoaderArgs) {
  return { gatewayPage: context.get(labContext).gatewayPage };
}

/** Read from the field, so that what was typed before scripts ran counts. */
function transactionId(): string {
  const input = document.getElementById('transactionId');
  return input instanceof HTMLInputElement ? input.value.trim() : '';
}

/** Two ways to the gateway, showing the raw response. */
function DebugPayment({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation('lab');
  const { toast } = useToast();
  const leave = useLeave();
  const hasScripts = useHasScripts();
  const [raw, setRaw] = useState('');
  const [isAsking, setAsking] = useState(false);
  const [isMissing, setMissing] = useState(false);

  function leaveFor(address: string, afterMs: number) {
    toast({ title: t('leaving.title'), description: t('leaving.text'), duration: afterMs });
    leave(address, afterMs);
  }

  async function testPayment() {
    setAsking(true);
    setMissing(false);
    const started = await startPayment(transactionId());
    setAsking(false);
    setRaw(started.raw);
    if (started.paymentUrl) return leaveFor(started.paymentUrl, DEBUG_PAYMENT_REDIRECT_MS);
    toast({ tone: 'error', title: <span lang="tr">{turkish.payment}</span> });
  }

  function testRedirect() {
    if (!loaderData.gatewayPage) return;
    const address = redirectAddress(loaderData.gatewayPage, transactionId());
    setMissing(address === null);
    if (address === null) return document.getElementById('transactionId')?.focus();
    setRaw(JSON.stringify({ redirect: address }, null, 2));
    leaveFor(address, DEBUG_DIRECT_REDIRECT_MS);
  }

  return (
    <>
      <LabFacts />
      <div aria-label={t('page.debug.title')} className="mt-8" role="group">
        <TextField
          autoComplete="off"
          error={isMissing ? t('debug.missing') : undefined}
          hint={t('debug.hint')}
          label={t('debug.transaction')}
          latin
          maxLength={64}
          mono
          name="transactionId"
          width="email"
        />
        <FormActions>
          <Button
            busy={isAsking}
            disabled={!hasScripts}
            onClick={() => void testPayment()}
            type="button"
          >
            {t('debug.payment')}
          </Button>
          <Button
            disabled={!hasScripts || !loaderData.gatewayPage}
            look="secondary"
            onClick={testRedirect}
            type="button"
          >
            {t('debug.redirect')}
          </Button>
        </FormActions>
      </div>
      <section className="mt-10">
        <h2 className="text-h2-form">{t('debug.result')}</h2>
        <Raw>{raw || t('debug.nothing')}</Raw>
      </section>
      <HomeLink />
    </>
  );
}

export { DebugPayment as default };
