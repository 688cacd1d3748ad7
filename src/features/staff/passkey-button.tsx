import { useEffect, useState } from 'react';
import { useSubmit } from 'react-router';
import { Button } from '~/ui/button.tsx';
import { Notice } from '~/ui/notice.tsx';
import { useHref } from '~/ui/page/page-context.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';

/** Whether this browser can show passkeys; false until scripts run. */
export function usePasskeys(): boolean {
  const [isAble, setAble] = useState(false);
  useEffect(() => setAble('PublicKeyCredential' in window), []);
  return isAble;
}

/** Signs in with a passkey, alone or after the password. Takes scripts; without them it is not there. */
export function PasskeyButton({ next }: { next: string }) {
  const { t } = useTranslation('staff');
  const submit = useSubmit();
  const href = useHref('/admin/passkeys');
  const isAble = usePasskeys();
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle');
  if (!isAble) return null;
  async function signIn() {
    setState('busy');
    try {
      const { startAuthentication } = await import('@simplewebauthn/browser');
      const answer = await fetch(href, {
        method: 'POST',
        body: new URLSearchParams({ intent: 'show' }),
      });
      if (!answer.ok) throw new Error(String(answer.status));
      const response = await startAuthentication({ optionsJSON: await answer.json() });
      const form = { passkey: JSON.stringify(response), next };
      await submit(form, { method: 'post', action: '/admin', replace: true });
      setState('idle');
    } catch {
      // Cancelled, or the device has none for this site.
      setState('failed');
    }
  }
  return (
    <div className="mb-6 grid gap-3">
      {state === 'failed' ? (
        <Notice role="alert" tone="amber">
          {t('passkey.failed')}
        </Notice>
      ) : null}
      <Button
        busy={state === 'busy'}
        look="secondary"
        onClick={() => void signIn()}
        type="button"
        wide
      >
        {t('passkey.signIn')}
      </Button>
    </div>
  );
}
