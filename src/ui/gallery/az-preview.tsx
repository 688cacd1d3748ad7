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
    <AzLines label={label} value={value}>
      <CheckBox defaultChecked={defaultChecked} error={error} label={confirmLabel} name={name} />
    </AzLines>
  );
}

/** The lines alone, with what stands beside them. A message needs the whole width of the strip. */
export function AzLines({
  label,
  value,
  children,
}: {
  label: ReactNode;
  value: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="grid gap-x-6 gap-y-2 rounded-field bg-turquoise-pale px-4 py-3.5 wide:grid-cols-[minmax(0,1fr)_auto] wide:items-center wide:has-[.field-error]:grid-cols-1">
      <div className="text-hint text-ink-2">
        <p>{label}</p>
        <output
          className="mono block text-start text-[1rem] leading-[1.5rem] text-ink rtl:text-right"
          dir="ltr"
        >
          {value}
        </output>
      </div>
      {children}
    </div>
  );
}
