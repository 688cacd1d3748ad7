import { useEffect, useRef, useState } from 'react';
import { Form } from 'react-router';
import { may, type Role } from '~/features/staff/roles.ts';
import { Button } from '~/ui/button.tsx';
import { classNames } from '~/ui/class-names.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { actionRules, keyOf } from '../application/case-actions.ts';
import {
  BULK_FORM,
  BULK_PAGE,
  bulkActionNames,
  bulkActions,
  CHOSEN,
} from '../several/bulk-actions.ts';
import type { QueueKind } from './list-filter.ts';
import type { QueueRow } from './queue.server.ts';

/** The boxes of the list, in its order. */
const boxes = () => [
  ...document.querySelectorAll<HTMLInputElement>(`input[name="${CHOSEN}"][form="${BULK_FORM}"]`),
];

/** How many rows are ticked; a row that has left the list takes its box along. */
function countChosen(rows: readonly QueueRow[]): number {
  const ticked = new Set(boxes().flatMap(({ checked, value }) => (checked ? value : [])));
  return rows.filter(({ number }) => ticked.has(number)).length;
}

/**
 * How many of the list are chosen; null without scripts. With Shift a box takes all between it and the one that was
 * pressed before along.
 */
function useChosen(rows: readonly QueueRow[]) {
  const [count, setCount] = useState<number | null>(null);
  const last = useRef<HTMLInputElement>(null);
  // What left the list is not chosen any more, and a browser may bring ticks back.
  useEffect(() => setCount(countChosen(rows)), [rows]);
  useEffect(() => {
    const pressed = ({ target, shiftKey }: MouseEvent) => {
      const all = boxes();
      const to = all.findIndex((box) => box === target);
      const box = all[to];
      if (!box) return;
      const from = all.findIndex((one) => one === last.current);
      if (shiftKey && from >= 0) {
        for (const one of all.slice(Math.min(from, to), Math.max(from, to) + 1))
          one.checked = box.checked;
      }
      last.current = box;
      setCount(countChosen(rows));
    };
    document.addEventListener('click', pressed);
    return () => document.removeEventListener('click', pressed);
  }, [rows]);
  const choose = (checked: boolean) => {
    for (const box of boxes()) box.checked = checked;
    setCount(countChosen(rows));
  };
  return { count, choose };
}

/** What can be done with the chosen applications of the list. Each button leads to a page that asks before it does it. */
export function BulkBar({
  kind,
  list,
  role,
  rows,
  hasKeys,
}: {
  kind: QueueKind;
  /** The list's query. */
  list: string;
  role: Role;
  rows: readonly QueueRow[];
  /** Whether the keys of the actions are free: with an application open they are its own. */
  hasKeys: boolean;
}) {
  const { t } = useTranslation('decision');
  const { count, choose } = useChosen(rows);
  const offered = bulkActionNames.filter((name) => {
    const { right, kind: only = kind } = actionRules(bulkActions[name]);
    return only === kind && may(role, right);
  });
  return (
    <Form
      action={BULK_PAGE}
      aria-label={t('bulk.label')}
      className={classNames(
        'flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-paper px-2.5 py-2',
        count !== null && count > 0 && 'sticky bottom-(--desk-messages-size) z-2 border-t',
      )}
      id={BULK_FORM}
      method="post"
    >
      <input name="list" type="hidden" value={list} />
      <p className="min-w-28 font-semibold" role="status">
        {count ? t('bulk.count', { figure: count }) : t('bulk.label')}
      </p>
      {offered.map((name) => (
        <Button
          {...(hasKeys && keyOf(bulkActions[name]))}
          key={name}
          look="secondary"
          name="intent"
          small
          value={name}
        >
          {t(`bulk.action.${name}`)}
        </Button>
      ))}
      {count === null ? null : (
        <span className="flex flex-wrap gap-x-4">
          <button className="link-button" onClick={() => choose(true)} type="button">
            {t('bulk.all')}
          </button>
          {count > 0 ? (
            <button className="link-button" onClick={() => choose(false)} type="button">
              {t('bulk.clear')}
            </button>
          ) : null}
        </span>
      )}
    </Form>
  );
}
