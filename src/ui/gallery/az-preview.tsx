import type { ReactNode } from 'react';
import { CheckBox } from '../fields/check-box.tsx';

/** A name as the machine-readable lines of a passport print it, and a box to confirm it. */
export function AzPreview({
  label,
  value,
  name,
  confirmLabel,
  error,
  defaultChecked,
}: {
  label: ReactNode;
  value: ReactNode;
  name: string;
  confirmLabel: ReactNode;
  error?: ReactNode;
  defaultChecked?: boolean;
}) {
  return (
    <div className="az-preview">
      <div className="az-preview-text">
        <p>{label}</p>
        <output className="mono" dir="ltr">
          {value}
        </output>
      </div>
      <CheckBox defaultChecked={defaultChecked} error={error} label={confirmLabel} name={name} />
    </div>
  );
}
