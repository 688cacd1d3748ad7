import type { ReactNode } from 'react';

/** A label above a field that PayPal renders; inside its frame the field has its own name. */
export function ForeignField({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className="field">
      <span className="field-label">{label}</span>
      {children}
    </div>
  );
}
