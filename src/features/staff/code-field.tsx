import { TextField } from '~/ui/fields/text-field.tsx';

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
