import type { ReactNode } from 'react';
import { Form } from 'react-router';
import { may, type Role } from '~/features/staff/roles.ts';
import { Button } from '~/ui/button.tsx';
import { Notice } from '~/ui/notice.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Actions, Pill, Pills } from '../frame/panel.tsx';
import { MAX_VIEW_NAME_LENGTH, MAX_VIEWS, type QueueView, type ViewResult } from './list-filter.ts';

const SAVE = 'save';
const done: readonly ViewResult[] = ['saved', 'removed', 'shared', 'unshared', 'start', 'no_start'];

type Shown = {
  views: readonly QueueView[];
  /** Of the list that is shown, as a view keeps it. */
  query: string;
  result: ViewResult | null;
};

/** The views above the queue, and what was done with one. */
export function ViewPills({ views, query, result }: Shown) {
  const { t } = useTranslation('views');
  const limits = { length: MAX_VIEW_NAME_LENGTH, most: MAX_VIEWS };
  return (
    <>
      {result ? (
        <Notice
          className="mt-3"
          role={done.includes(result) ? 'status' : 'alert'}
          tone={done.includes(result) ? 'green' : 'red'}
        >
          {t(`result.${result}`, limits)}
        </Notice>
      ) : null}
      {views.length === 0 ? null : (
        <Pills className="mt-1.5" label={t('label')}>
          {views.map((view) => (
            <Pill
              aria-current={view.query === query ? 'page' : undefined}
              key={view.id}
              to={`/admin${view.query}`}
            >
              <bdi>{view.name}</bdi>
              {view.isStart ? <span className="sr-only"> {t('isStart')}</span> : null}
              {view.owner === '' ? null : (
                <span className="sr-only"> {t('by', { name: view.owner })}</span>
              )}
            </Pill>
          ))}
        </Pills>
      )}
    </>
  );
}

/** What can be done with the list that is shown: save it, and more where it is a view. */
export function ViewForms({ views, query, result, role }: Shown & { role: Role }) {
  const { t } = useTranslation('views');
  const shown = views.filter((view) => view.query === query);
  return (
    <details
      className="desk-more open:basis-full"
      open={(result !== null && !done.includes(result)) || undefined}
    >
      <summary>{t('title')}</summary>
      <div className="grid max-w-[640px] gap-3 border-b border-line pt-2 pb-4">
        {shown.map((view) => (
          <ShownView key={view.id} query={query} role={role} view={view} />
        ))}
        <Form action="/admin/views" className="flex flex-wrap items-end gap-3" method="post">
          <input name="list" type="hidden" value={query} />
          <label className="grid gap-1 text-fine text-ink-2">
            <span>{t('name')}</span>
            <input className="control m-0" maxLength={MAX_VIEW_NAME_LENGTH} name="name" required />
          </label>
          <input name="intent" type="hidden" value={SAVE} />
          <Button small>{t('save')}</Button>
        </Form>
        <p className="text-fine text-ink-2">{t('hint')}</p>
      </div>
    </details>
  );
}

/** What can be done with the view that is shown: begin with it, share it, remove it. */
function ShownView({ view, query, role }: { view: QueueView; query: string; role: Role }) {
  const { t } = useTranslation('views');
  const mayShare = may(role, 'share_view');
  const isOwn = view.owner === '';
  return (
    <Form action="/admin/views" method="post">
      <input name="list" type="hidden" value={query} />
      <input name="id" type="hidden" value={view.id} />
      <p>
        <strong>
          <bdi>{view.name}</bdi>
        </strong>
        {isOwn ? null : ` – ${t('by', { name: view.owner })}`}
      </p>
      <Actions>
        {view.isStart ? (
          <ViewButton does="no_start">{t('noStart')}</ViewButton>
        ) : (
          <ViewButton does="start">{t('start')}</ViewButton>
        )}
        {!mayShare ? null : view.shared ? (
          <ViewButton does="unshare">{t('unshare')}</ViewButton>
        ) : isOwn ? (
          <ViewButton does="share">{t('share')}</ViewButton>
        ) : null}
        {isOwn || mayShare ? <ViewButton does="remove">{t('remove')}</ViewButton> : null}
      </Actions>
    </Form>
  );
}

/** Sends the form that it stands in, to the page of views. */
const ViewButton = ({ does, children }: { does: string; children: ReactNode }) => (
  <button className="link-button" name="intent" value={does}>
    {children}
  </button>
);
