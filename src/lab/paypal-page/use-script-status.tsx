import { INSTANCE_LOADING_STATE, usePayPal } from '@paypal/react-paypal-js/sdk-v6';
import { useEffect, useEffectEvent } from 'react';
import type { PaymentCalls, SdkStatus } from './use-paypal-payment.tsx';

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
