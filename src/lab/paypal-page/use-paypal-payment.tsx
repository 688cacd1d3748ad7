import { useEffect, useRef, useEffectEvent, useState, type ReactNode } from 'react';
import { INSTANCE_LOADING_STATE, usePayPal } from '@paypal/react-paypal-js/sdk-v6';
import { useToast } from '~/ui/page/toast.tsx';
import { paypalCalls, CallError } from './paypal-calls.ts';
import {
  NO_SCRIPT_NOTICE_MS,
  turkish,
  CANCELLED_NOTICE_MS,
  FAILED_NOTICE_MS,
  paymentErrorWithStatus,
  SUCCESS_TOAST_MS,
  type TurkishKey,
} from './specification.ts';
import type { PaypalScreen } from './variants.ts';
import { StatusTag } from '~/ui/status-tag.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';

/** A function that loads another document after a pause, cancelled when the page is left before. */
export function useLeave(): (address: string, afterMs: number) => void {
  const timers = useRef<ReturnType<typeof setTimeout>[]>([]);
  useEffect(() => {
    const stop = () => timers.current.forEach(clearTimeout);
    // A browser may restore the page from its cache after Back.
    addEventListener('pagehide', stop);
    return () => {
      removeEventListener('pagehide', stop);
      stop();
    };
  }, []);
  return (address, afterMs) => {
    timers.current.push(setTimeout(() => location.assign(address), afterMs));
  };
}

export type PaymentStatus = 'none' | 'success' | 'failed' | 'cancelled';
type SdkStatus = 'loading' | 'ready' | 'failed';

/** The callbacks of PayPal's buttons and fields, for both generations of the script. */
export type PaymentCalls = {
  /** Rejects after the error was shown to the visitor. */
  createOrder(): Promise<string>;
  approve(orderId: string): Promise<void>;
  cancel(): void;
  /** `message`: the provider's own, where the page shows it. */
  fail(error: unknown): void;
  failToRender(): void;
  setSdk(status: SdkStatus): void;
};

/** The state of one payment: what happened, and what the visitor is told. */
export function usePaypalPayment(says: PaypalScreen['says']) {
  const { t } = useTranslation('lab');
  const { toast } = useToast();
  const [status, setStatus] = useState<PaymentStatus>('none');
  const [sdk, setSdkStatus] = useState<SdkStatus>('loading');
  const [orderId, setOrderId] = useState<string | null>(null);
  const [events, setEvents] = useState<string[]>([]);

  const note = (event: string) => setEvents((now) => [...now, event].slice(-20));

  function tell(title: TurkishKey, description: string, duration = FAILED_NOTICE_MS) {
    note(`${turkish[title]}: ${description}`);
    toast({
      tone: 'error',
      title: <span lang="tr">{turkish[title]}</span>,
      description: <span lang="tr">{description}</span>,
      duration,
    });
  }

  function end(ended: PaymentStatus, title: TurkishKey, description: string, duration?: number) {
    setStatus(ended);
    tell(title, description, duration);
  }

  const calls: PaymentCalls = {
    async createOrder() {
      setStatus('none');
      try {
        const { id } = await paypalCalls.createOrder();
        if (!id) throw new CallError(0, '');
        setOrderId(id);
        note(`order ${id}`);
        return id;
      } catch (error) {
        const http =
          error instanceof CallError && error.status > 0 ? ` (HTTP ${error.status})` : '';
        end('failed', 'order', `${turkish.orderNotCreated}${http}`);
        throw new AlreadyShown();
      }
    },
    async approve(approved) {
      note(`approved ${approved}`);
      try {
        const capture = await paypalCalls.capture(approved);
        note(`capture ${capture.status}`);
        if (capture.status !== 'COMPLETED') {
          return end('failed', 'failed', capture.message ?? turkish.notProcessed);
        }
        setStatus('success');
        toast({
          tone: 'success',
          title: t('paid.title'),
          description: t('paid.text', { id: capture.id }),
          duration: SUCCESS_TOAST_MS,
        });
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        // The server's message about a refused payment; otherwise that there was no valid response.
        if (error.message) return end('failed', 'failed', error.message);
        end('failed', 'payment', paymentErrorWithStatus(error.status));
      }
    },
    cancel: () => end('cancelled', says.cancel, turkish.nothingCharged, CANCELLED_NOTICE_MS),
    fail(error) {
      if (error instanceof AlreadyShown) return;
      const message = error instanceof Error ? error.message : '';
      end('failed', says.error, says.error === 'card' && message ? message : turkish.paypalFailed);
    },
    failToRender: () => tell('render', turkish.buttonsMissing),
    setSdk(now) {
      setSdkStatus(now);
      note(`script ${now}`);
      if (now === 'failed') tell(says.load, turkish.scriptMissing, NO_SCRIPT_NOTICE_MS);
    },
  };

  function reset() {
    setStatus('none');
    setSdkStatus('loading');
    setOrderId(null);
  }

  return { status, sdk, orderId, events, calls, reset };
}

/** Its message is on the page already: PayPal's script passes our own errors back to us. */
class AlreadyShown extends Error {
  override name = 'AlreadyShown';
}

const sdkTones = { loading: 'neutral', ready: 'green', failed: 'red' } as const;
const paymentTones = {
  none: 'neutral',
  success: 'green',
  failed: 'red',
  cancelled: 'amber',
} as const;

export function SdkTag({ status }: { status: SdkStatus }) {
  const { t } = useTranslation('lab');
  return <StatusTag tone={sdkTones[status]}>{t(`sdk.${status}`)}</StatusTag>;
}

export function PaymentTag({ status }: { status: PaymentStatus }) {
  const { t } = useTranslation('lab');
  return (
    <span aria-live="polite">
      <StatusTag tone={paymentTones[status]}>{t(`status.${status}`)}</StatusTag>
    </span>
  );
}

const statuses: Record<INSTANCE_LOADING_STATE, SdkStatus> = {
  [INSTANCE_LOADING_STATE.PENDING]: 'loading',
  [INSTANCE_LOADING_STATE.RESOLVED]: 'ready',
  [INSTANCE_LOADING_STATE.REJECTED]: 'failed',
};

/** The loading state of the script's version 6, also reported to the page. */
export function useScriptStatus({ setSdk }: Pick<PaymentCalls, 'setSdk'>): SdkStatus {
  const status = statuses[usePayPal().loadingStatus];
  // An effect event: called when the script's state changes, not when texts do.
  const tell = useEffectEvent(setSdk);
  useEffect(() => tell(status), [status]);
  return status;
}

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

/** A label above a field that PayPal renders; inside its frame the field has its own name. */
export function ForeignField({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className="field">
      <span className="field-label">{label}</span>
      {children}
    </div>
  );
}

/** True `delayMs` milliseconds after `isReady` became true. */
export function useDelayed(isReady: boolean, delayMs: number): boolean {
  const [isTime, setTime] = useState(false);
  useEffect(() => {
    if (!isReady) return;
    const timer = setTimeout(() => setTime(true), delayMs);
    return () => clearTimeout(timer);
  }, [isReady, delayMs]);
  return isReady && isTime;
}
