import { TextField } from '~/ui/fields/text-field.tsx';
import type { ReactNode } from 'react';
import '~/ui/css/staff.css';

/** The field for a code of the second factor. */
export function CodeField({
  label,
  hint,
  error,
  name = 'code',
}: {
  /** Another name where a page has several. */
  name?: string;
  label: string;
  hint?: string;
  error: string | undefined;
}) {
  return (
    <TextField
      autoComplete="one-time-code"
      error={error}
      hint={hint}
      inputMode="numeric"
      label={label}
      latin
      mono
      name={name}
    />
  );
}

/** The frame of pages before signing in: sign-in, a forgotten password, unknown addresses. */
export const Gate = ({ children }: { children: ReactNode }) => (
  <div className="mx-auto my-8 max-w-[440px] rounded-card border border-line-2 bg-paper p-6 [&_.button]:w-full [&_.control]:min-h-11 [&_.control]:text-[1rem] [&_.form-actions]:mt-7 [&_form]:grid [&_form]:gap-5">
    {children}
  </div>
);
