import { type ReactNode, useEffect, useState } from 'react';

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
