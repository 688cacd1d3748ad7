import { useTranslation } from '~/ui/texts/texts.tsx';
import { paymentStates } from '~/features/payment/machine.ts';
import { providerNames } from '~/base/payment-providers.ts';
import { SelectField } from '~/ui/fields/select-field.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import { paymentsQuery, type PaymentsFilter } from './payments-filter.ts';
import { FilterForm } from '../frame/filter-form.tsx';
import { DayFilter } from '../day-filter/day-filter.tsx';

/** Search and filters, a GET form. */
export function PaymentsFilterForm({ filter }: { filter: PaymentsFilter }) {
  const { t } = useTranslation('books');
  const query = paymentsQuery(filter);
  return (
    <FilterForm action="/admin/payments" query={query}>
      <TextField
        autoComplete="off"
        defaultValue={filter.search}
        label={t('payments.search')}
        latin
        maxLength={120}
        name="search"
        type="search"
      />
      <SelectField
        defaultValue={filter.state ?? ''}
        emptyLabel={t('all')}
        label={t('payments.state')}
        name="state"
        options={paymentStates.map((value) => ({
          value,
          label: t(`desk:detail.attemptState.${value}`),
        }))}
      />
      <SelectField
        defaultValue={filter.provider ?? ''}
        emptyLabel={t('all')}
        label={t('payments.provider')}
        name="provider"
        options={providerNames.map((value) => ({ value, label: t(`provider.${value}`) }))}
      />
      <DayFilter label={t('payments.day')} name="day" read={filter.day ?? ''} />
    </FilterForm>
  );
}
