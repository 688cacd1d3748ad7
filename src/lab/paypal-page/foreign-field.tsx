import type { ReactNode } from 'react';

/** A label above a field that PayPal draws; the field itself is named inside its frame. */
export function ForeignField({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className="field">
      <span className="field-label">{label}</span>
      {children}
    </div>
  );
}
