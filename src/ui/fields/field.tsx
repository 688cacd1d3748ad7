import type { ReactNode } from 'react';
import { useTranslation } from '../texts/texts.tsx';
import { classNames } from '../class-names.ts';
import { Icon } from '../icon.tsx';

/** How much belongs in the control: date and number 400 px, e-mail 520, full the column. */
export type FieldWidth = 'short' | 'number' | 'email' | 'full';

export type FieldText = {
  /** Name of the control, and the `id` of the field's first control: an error summary links to `#name`. */
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  /** Said by screen readers. The browser's own check, which `required` brings, speaks before ours and in its words. */
  isRequired?: boolean;
};

/** What ties a control to its label, hint and error. */
export function controlProps({ name, hint, error, isRequired }: FieldText) {
  const describedBy = classNames(
    hint !== undefined && `${name}-hint`,
    hasError(error) && `${name}-error`,
  );
  return {
    id: name,
    name,
    'aria-describedby': describedBy === '' ? undefined : describedBy,
    'aria-invalid': hasError(error) ? (true as const) : undefined,
    'aria-required': isRequired,
  };
}

export function hasError(error: ReactNode): boolean {
  return error !== undefined && error !== null && error !== false && error !== '';
}

export function FieldHint({ name, hint }: Pick<FieldText, 'name' | 'hint'>) {
  if (hint === undefined || hint === null) return null;
  return (
    <p className="field-hint" id={`${name}-hint`}>
      {hint}
    </p>
  );
}

export function FieldError({ name, error }: Pick<FieldText, 'name' | 'error'>) {
  const { t } = useTranslation('ui');
  if (!hasError(error)) return null;
  return (
    <p
      className="field-error mt-1.5 mb-0.5 flex gap-2 text-hint font-semibold text-error [&>.icon]:mt-0.5 [&>.icon]:stroke-2"
      id={`${name}-error`}
    >
      <Icon name="alert" size={18} />
      <span>
        <span className="sr-only">{t('field.error')} </span>
        {error}
      </span>
    </p>
  );
}

/** Label, hint, error and one control; use `controlProps` for the control. */
export function Field({
  width = 'number',
  children,
  className,
  ...text
}: FieldText & { width?: FieldWidth; className?: string; children: ReactNode }) {
  return (
    <div
      className={classNames(
        'field',
        `field-${width}`,
        hasError(text.error) && 'has-error',
        className,
      )}
    >
      <label className="field-label" htmlFor={text.name}>
        {text.label}
      </label>
      <FieldHint {...text} />
      <FieldError {...text} />
      {children}
    </div>
  );
}
