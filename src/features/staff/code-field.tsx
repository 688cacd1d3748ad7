import { TextField } from '~/ui/fields/text-field.tsx';

/** Where a code of the second factor is typed. */
export function CodeField({
  label,
  hint,
  error,
}: {
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
      name="code"
    />
  );
}
