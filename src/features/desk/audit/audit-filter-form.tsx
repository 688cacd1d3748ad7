import { useTranslation } from '~/ui/texts/texts.tsx';
import { auditActions } from '~/features/staff/audit-words.ts';
import { SelectField } from '~/ui/fields/select-field.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import { auditQuery, type AuditFilter } from './audit-filter.ts';
import { FilterForm } from '../frame/filter-form.tsx';
import { DayFilter } from '../day-filter/day-filter.tsx';

/** Filters the entries by the address's query. */
export function AuditFilterForm({
  filter,
  accounts,
  unknownNumber,
}: {
  filter: AuditFilter;
  accounts: readonly { id: string; name: string }[];
  unknownNumber: boolean;
}) {
  const { t } = useTranslation('books');
  const query = auditQuery(filter);
  return (
    <FilterForm action="/admin/audit" query={query}>
      <TextField
        autoComplete="off"
        defaultValue={filter.number}
        error={unknownNumber ? t('audit.unknownNumber') : undefined}
        label={t('audit.number')}
        latin
        maxLength={40}
        name="number"
        type="search"
      />
      <SelectField
        defaultValue={filter.staff ?? ''}
        emptyLabel={t('all')}
        label={t('audit.staff')}
        name="staff"
        options={accounts.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <SelectField
        defaultValue={filter.action ?? ''}
        emptyLabel={t('all')}
        label={t('audit.action')}
        name="action"
        options={auditActions.map((value) => ({ value, label: t(`audit.done.${value}`) }))}
      />
      <DayFilter label={t('payments.day')} name="day" read={filter.day ?? ''} />
    </FilterForm>
  );
}
