import type { ComponentProps } from 'react';
import { SelectField } from '~/ui/fields/select-field.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { travelDocuments } from './regime.ts';

/** The question for the travel document, an ordinary passport by default. */
export function TravelDocumentField({
  value,
  label,
  error,
  width = 'email',
}: {
  value: string | undefined;
  label: string;
  error?: string | undefined;
  width?: ComponentProps<typeof SelectField>['width'];
}) {
  const { t } = useTranslation('catalog');
  return (
    <SelectField
      defaultValue={value || 'ordinary'}
      error={error}
      label={label}
      name="documentType"
      options={travelDocuments.map((document) => ({
        value: document,
        label: t(`travelDocument.${document}`),
      }))}
      width={width}
    />
  );
}
