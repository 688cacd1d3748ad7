import type { ReactNode } from 'react';
import { classNames } from '~/ui/class-names.ts';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { EntryLabel, Actions } from './panel.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useNavigation, Form } from 'react-router';
import { Link } from '~/ui/page/link.tsx';
import { Button } from '~/ui/button.tsx';

/** A column of a table: its heading, and what of an entry stands in it. */
export type EntryColumn<Entry> = {
  head: string;
  render: (entry: Entry) => ReactNode;
  /** Of its cells. */
  className?: string;
  /** Figures stand at the end of their column. */
  isFigure?: boolean;
  /** On narrow screens, where there is no row of headings, each entry repeats this one. */
  isLabelled?: boolean;
  /** It names the row. */
  isRowName?: boolean;
  /** Its heading is for screen readers alone. */
  isUntitled?: boolean;
};

type EntryRow = {
  key: string | number;
  className?: string;
  /** The entry that is shown in full elsewhere on the page. */
  isSelected?: boolean;
};

/** A table of which each row becomes an entry in a list on narrow screens. */
export function EntriesTable<Entry>({
  caption,
  className,
  columns,
  entries,
  rowOf,
  testId,
}: {
  caption?: string;
  className?: string;
  columns: readonly EntryColumn<Entry>[];
  entries: readonly Entry[];
  rowOf: (entry: Entry) => EntryRow;
  testId?: string;
}) {
  return (
    <table className={classNames('desk-table row-entries', className)}>
      {caption === undefined ? null : <caption className="sr-only">{caption}</caption>}
      <thead className="max-wide:sr-only">
        <tr>
          {columns.map(({ head, isFigure, isUntitled }) => (
            <th className={isFigure ? 'text-end' : undefined} key={head} scope="col">
              {isUntitled ? <span className="sr-only">{head}</span> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => {
          const { key, className: rowClass, isSelected } = rowOf(entry);
          return (
            <tr
              aria-selected={isSelected || undefined}
              className={rowClass}
              data-testid={testId}
              key={key}
            >
              {columns.map(
                ({ head, render, className: cellClass, isFigure, isLabelled, isRowName }) => {
                  const Cell = isRowName ? 'th' : 'td';
                  return (
                    <Cell
                      className={classNames(isFigure && 'figures text-end', cellClass) || undefined}
                      key={head}
                      scope={isRowName ? 'row' : undefined}
                    >
                      {isLabelled ? <EntryLabel>{head}</EntryLabel> : null}
                      {render(entry)}
                    </Cell>
                  );
                },
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

type FiguresRow = {
  key: string;
  name: ReactNode;
  /** A sum of the others. */
  isTotal?: boolean;
};

/** A table of figures: a name and numbers. `name`: the heading of the names. */
export function FiguresTable<Row extends FiguresRow>({
  caption,
  name,
  columns,
  rows,
}: {
  caption: string;
  name: string;
  columns: readonly Pick<EntryColumn<Row>, 'head' | 'render'>[];
  rows: readonly Row[];
}) {
  return (
    <EntriesTable<Row>
      caption={caption}
      columns={[
        {
          head: name,
          className: 'text-start font-medium wrap-anywhere text-ink max-wide:col-span-full',
          isRowName: true,
          render: (row) => row.name,
        },
        ...columns.map(({ head, render }): EntryColumn<Row> => ({
          head,
          className: 'max-wide:text-start',
          isFigure: true,
          isLabelled: true,
          render,
        })),
      ]}
      entries={rows}
      rowOf={({ key, isTotal }) => ({
        key,
        className: classNames('max-wide:grid-cols-2', isTotal && '*:font-semibold'),
      })}
    />
  );
}

/** An order's number, linked to its page. */
export const OrderLink = ({ reference }: { reference: string }) => (
  <Link
    className="inline-flex min-h-8 items-center max-wide:min-h-11"
    to={`/admin/orders/${reference}`}
  >
    <NumberCode value={reference} />
  </Link>
);

/** Styles of the links, at the end of the line. */
const PAGE_LINKS =
  'ms-auto flex min-h-9 flex-wrap items-center gap-4 py-2 max-wide:min-h-11 *:inline-flex *:min-h-11 *:items-center';

/** Links to the neighbouring pages of a list sorted newest first. */
export function CursorLinks({
  page: { newer, older },
  linkTo,
}: {
  page: { newer: string | null; older: string | null };
  linkTo: (place: Record<string, string>) => string;
}) {
  const { t } = useTranslation('books');
  if (newer === null && older === null) return null;
  return (
    <nav aria-label={t('pages.label')} className={PAGE_LINKS}>
      {newer === null ? null : (
        <>
          <Link to={linkTo({})}>{t('pages.newest')}</Link>
          <Link to={linkTo({ newer })}>{t('pages.newer')}</Link>
        </>
      )}
      {older === null ? null : <Link to={linkTo({ older })}>{t('pages.older')}</Link>}
    </nav>
  );
}

/** Says that the list is loading, while the old one stays. */
export function ListBusy() {
  const { t } = useTranslation('books');
  const { state } = useNavigation();
  return (
    <p className={state === 'loading' ? 'text-ink-2' : 'sr-only'} role="status">
      {state === 'loading' ? t('loading') : ''}
    </p>
  );
}

/** The query of an address with this filter. */
export function filterQuery(
  filter: Readonly<Record<string, string | null>>,
  more: Record<string, string> = {},
): string {
  const given = Object.entries({ ...filter, ...more }).flatMap(([name, value]) =>
    value ? [[name, value]] : [],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

/** Search and filters above a list, a GET form. `query`: the address's present query. */
export function FilterForm({
  action,
  query,
  children,
}: {
  action: string;
  query: string;
  children: ReactNode;
}) {
  const { t } = useTranslation('books');
  return (
    <Form
      action={action}
      className="flex flex-wrap items-end gap-x-4 gap-y-3 [&_.control]:min-h-11 [&_.field-label]:text-fine/5 [&_.field-label]:font-medium [&_.field-label]:text-ink-2 [&>.field]:shrink max-wide:[&>.field]:grow max-wide:[&>.field]:basis-full wide:[&>.field]:basis-[180px] wide:[&>.field:has([type=search])]:max-w-[380px] wide:[&>.field:has([type=search])]:grow wide:[&>.field:has([type=search])]:basis-[260px]"
      key={query}
      method="get"
    >
      {children}
      <Actions>
        <Button look="secondary">{t('show')}</Button>
        {query === '' ? null : (
          <Link className="inline-flex min-h-11 items-center" to={action}>
            {t('clear')}
          </Link>
        )}
      </Actions>
    </Form>
  );
}
