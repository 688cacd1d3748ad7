import type { ComponentProps } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import type { Field } from '../rules/answers.ts';
import type { StepForm } from './use-step-form.tsx';

type TextAnswerProps = { field: Field; step: Pick<StepForm, 'start' | 'errorAt'> } & Omit<
  ComponentProps<typeof TextField>,
  'name' | 'label' | 'error' | 'defaultValue' | 'step'
>;

/** A question that is answered in one line. */
export function TextAnswer({ field, step, ...rest }: TextAnswerProps) {
  const { t } = useTranslation('visa');
  return (
    <TextField
      autoComplete="off"
      {...rest}
      defaultValue={step.start[field]}
      error={step.errorAt(field)}
      label={t(`labels.${field}`)}
      name={field}
    />
  );
}
