import type { ReactElement } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from 'react-router';
import { Link } from '~/ui/page/link.tsx';
import { applicationStatuses } from '~/features/application/status-machine.ts';
import { Button } from '~/ui/button.tsx';
import { SelectFrame } from '~/ui/fields/select-field.tsx';
import { DayFilter, useTypedDay } from '../frame/days.tsx';
import { Actions } from '../frame/panel.tsx';
import {
  everything,
  filterQuery,
  narrowedBy,
  payments,
  SEARCH,
  sortings,
  type Narrowing,
  type ShownFilter,
} from './list-filter.ts';
import { NationalitySelect } from './nationality-options.tsx';

export type FilterOptions = {
  /** `nationalityLines`, in the reader's language. */
  nationalities: string;
  /** Processing types, or plans. */
  services: readonly { id: string; name: string }[];
};

/** A list's filters and sort order, as a GET form, so that a list can be bookmarked and shared. */
export function QueueFilters({
  list,
  options,
  isView,
}: {
  list: ShownFilter;
  options: FilterOptions;
  /** Whether the list is a view, whose name says what it shows. */
  isView: boolean;
}) {
  const { t } = useTranslation('desk');
  const { kind, show, sort, narrowing } = list;
  const count = narrowedBy(narrowing);
  const days = [useTypedDay('from', narrowing.from), useTypedDay('to', narrowing.to)];
  const isOpen = (count > 0 && !isView) || days.some(({ error }) => error !== undefined);
  const option = (id: string, name: string) => (
    <option key={id} value={id}>
      {name}
    </option>
  );
  const choices: [keyof Narrowing, readonly ReactElement[] | null][] = [
    ['status', applicationStatuses.map((value) => option(value, t(`status.${value}`)))],
    ['payment', payments.map((value) => option(value, t(`filter.${value}`)))],
    ['nationality', null],
    ['service', options.services.map(({ id, name }) => option(id, name))],
  ];
  return (
    <details className="desk-more open:basis-full" data-testid="filters" open={isOpen || undefined}>
      <summary>{count > 0 ? t('filter.active', { count }) : t('filter.title')}</summary>
      {/* The key remounts the form for another list, so that it shows the values in the address. */}
      <Form
        action="/admin"
        className="grid grid-cols-[repeat(auto-fill,minmax(min(10.5rem,100%),1fr))] items-end gap-3 border-b @min-[37.5rem]/desk-main:[&>:last-child]:col-span-2 border-line pt-2 pb-4 [&_.control]:m-0 [&_.control]:w-full [&_.field]:gap-1 [&_.select_.icon]:top-0 [&_label]:grid [&_label]:gap-1 [&_label]:text-fine/5 [&_label]:font-normal [&_label]:text-ink-2"
        key={filterQuery({ ...list, place: null })}
        method="get"
      >
        {kind === 'visa' ? null : <input name="tab" type="hidden" value={kind} />}
        {show === 'all' ? null : <input name="show" type="hidden" value={show} />}
        {list.sealedSearch === '' ? null : (
          <input name={SEARCH} type="hidden" value={list.sealedSearch} />
        )}
        {choices.map(([name, values]) => (
          <label key={name}>
            <span>{t(`filter.${name}`)}</span>
            <SelectFrame>
              {values === null ? (
                <NationalitySelect
                  any={t('filter.any')}
                  chosen={narrowing.nationality}
                  label={t(`filter.${name}`)}
                  lines={options.nationalities}
                />
              ) : (
                <select className="control" defaultValue={narrowing[name]} name={name}>
                  <option value="">{t('filter.any')}</option>
                  {values}
                </select>
              )}
            </SelectFrame>
          </label>
        ))}
        {(['from', 'to'] as const).map((name) => (
          <DayFilter key={name} label={t(`filter.${name}`)} name={name} read={narrowing[name]} />
        ))}
        <label>
          <span>{t('filter.sort')}</span>
          <SelectFrame>
            <select className="control" defaultValue={sort} name="sort">
              {sortings.map((value) => (
                <option key={value} value={value}>
                  {t(`filter.sorted.${value}`)}
                </option>
              ))}
            </select>
          </SelectFrame>
        </label>
        <Actions>
          <Button small>{t('filter.apply')}</Button>
          {count > 0 || sort !== 'due' ? (
            <Link
              to={`/admin${filterQuery({ ...list, sort: 'due', narrowing: everything, place: null })}`}
            >
              {t('filter.clear')}
            </Link>
          ) : null}
        </Actions>
      </Form>
    </details>
  );
}
