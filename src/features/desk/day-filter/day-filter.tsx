import { TextField } from '~/ui/fields/text-field.tsx';
import { useTypedDay } from './use-typed-day.tsx';

/** A day to filter by, in text: the browser's own control would put the month first for some and not for others. */
export function DayFilter({ name, label, read }: { name: string; label: string; read: string }) {
  const { shown, error } = useTypedDay(name, read);
  return (
    <TextField
      autoComplete="off"
      defaultValue={shown}
      error={error}
      label={label}
      maxLength={40}
      name={name}
    />
  );
}
