import type { ComponentProps } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import type { Question } from '../rules/answers.ts';
import type { InsuranceForm } from '../form/use-insurance-form.tsx';

type TextAnswerProps = { field: Question; form: InsuranceForm } & Omit<
  ComponentProps<typeof TextField>,
  'name' | 'label' | 'error' | 'defaultValue' | 'form'
>;

/** A question that is answered in one line. */
export function TextAnswer({ field, form, ...rest }: TextAnswerProps) {
  const { t } = useTranslation('insurance');
  return (
    <TextField
      autoComplete="off"
      {...rest}
      defaultValue={form.start[field]}
      error={form.errorAt(field)}
      label={t(`labels.${field}`)}
      name={field}
    />
  );
}
