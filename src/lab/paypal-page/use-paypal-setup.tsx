import { useEffect, useState } from 'react';
import { useToast } from '~/ui/page/toast.tsx';
import { paypalCalls } from './paypal-calls.ts';
import { NO_SCRIPT_NOTICE_MS, turkish } from './specification.ts';
import type { PaypalScreen } from './variants.ts';

/** What PayPal's script needs to begin. `clientToken`: for pages with card fields only. */
export type PaypalSetup = { isLive: boolean; clientId: string; clientToken: string };

export type SetupState =
  | { kind: 'asking' | 'failed' }
  /** No live credentials, where the page needs them. */
  | { kind: 'not_live' }
  | { kind: 'ready'; setup: PaypalSetup };

/** Asks the server once whether PayPal is live, and for the script's setup. */
export function usePaypalSetup({ shows, live }: PaypalScreen): SetupState {
  const { toast } = useToast();
  const [state, setState] = useState<SetupState>({ kind: 'asking' });

  useEffect(() => {
    let isHere = true;
    const settle = (settled: SetupState) => {
      if (isHere) setState(settled);
    };
    const ask = async () => {
      const { isLive, clientId } = await paypalCalls.checkLive();
      if (live && !isLive) return settle({ kind: 'not_live' });
      if (!clientId) throw new Error(turkish.notStarted);
      const clientToken = shows === 'buttons' ? '' : await paypalCalls.clientToken(shows);
      settle({ kind: 'ready', setup: { isLive, clientId, clientToken } });
    };
    ask().catch(() => {
      if (!isHere) return;
      setState({ kind: 'failed' });
      toast({
        tone: 'error',
        title: <span lang="tr">{turkish.start}</span>,
        description: <span lang="tr">{turkish.notStarted}</span>,
        duration: NO_SCRIPT_NOTICE_MS,
      });
    });
    return () => {
      isHere = false;
    };
  }, [shows, live, toast]);
  return state;
}
