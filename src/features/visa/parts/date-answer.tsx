import type { ComponentProps } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { DateField } from '~/ui/fields/date-field.tsx';
import { partsTyped } from '~/features/form/answers/controls.ts';
import type { Field } from '../rules/answers.ts';
import type { StepForm } from './use-step-form.tsx';

type DateAnswerProps = {
  field: Field;
  step: Pick<StepForm, 'start' | 'errorAt'>;
  label?: string;
} & Omit<ComponentProps<typeof DateField>, 'name' | 'label' | 'error' | 'defaultValue'>;

/** A question that is answered with day, month and year, as they were typed. */
export function DateAnswer({ field, step, label, ...rest }: DateAnswerProps) {
  const { t } = useTranslation('visa');
  return (
    <DateField
      {...rest}
      defaultValue={partsTyped(step.start, field)}
      error={step.errorAt(field)}
      label={label ?? t(`labels.${field}`)}
      name={field}
    />
  );
}
