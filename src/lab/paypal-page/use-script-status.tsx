import { INSTANCE_LOADING_STATE, usePayPal } from '@paypal/react-paypal-js/sdk-v6';
import { useEffect, useEffectEvent } from 'react';
import type { PaymentCalls, SdkStatus } from './use-paypal-payment.tsx';

const statuses: Record<INSTANCE_LOADING_STATE, SdkStatus> = {
  [INSTANCE_LOADING_STATE.PENDING]: 'loading',
  [INSTANCE_LOADING_STATE.RESOLVED]: 'ready',
  [INSTANCE_LOADING_STATE.REJECTED]: 'failed',
};

/** Where version 6 of the script stands, told to the page whenever it changes. */
export function useScriptStatus({ setSdk }: Pick<PaymentCalls, 'setSdk'>): SdkStatus {
  const status = statuses[usePayPal().loadingStatus];
  // The page's words change with every drawing; what it is told changes with the script.
  const tell = useEffectEvent(setSdk);
  useEffect(() => tell(status), [status]);
  return status;
}
