import { useRouteLoaderData } from 'react-router';
import { useLive } from './use-live.tsx';
import type { DeskSignals, FrameData } from './signals.ts';

const NONE: DeskSignals = { refunds: 0, alerts: 0, partnersDown: [], maySeePayments: false };

/** What waits for whoever looks; nothing where the frame could not be read. */
export function useSignals(): DeskSignals {
  const frame = useRouteLoaderData<FrameData>('features/desk/desk-layout');
  const { at, signals } = useLive();
  if (signals && frame && at > frame.now) return signals;
  return frame?.signals ?? NONE;
}
