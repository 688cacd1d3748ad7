import { data, Form, redirect } from 'react-router';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { isUuid } from '~/base/uuid.ts';
import { forYouEntries, markForYouRead } from './for-you.server.ts';
import { noteTexts } from '../application/notes.server.ts';
import { noteExcerpt, MAX_FOR_YOU_ENTRIES } from '../application/note.ts';
import { DeskPage } from '../frame/desk-page.tsx';
import { EntriesTable, type EntryColumn } from '../frame/lists.tsx';
import { formText } from '~/platform/input/form-text.ts';
import { auditViews } from '~/features/staff/audit.server.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { Route } from './+types/for-you.ts';

/** What colleagues gave to oneself or asked in a note, newest first. Opening a page reads nothing off: a press does. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { staff, platform } = await requireDesk({ request, context });
  const entries = await forYouEntries(platform.db, staff.id);
  const seen = [...new Set(entries.map(({ applicationId }) => applicationId))];
  await auditViews(platform.db, staff, seen, platform.now());
  const noteIds = entries.flatMap(({ noteId }) => noteId ?? []);
  const notes = await noteTexts(platform.db, platform.sealer, noteIds);
  return {
    entries: entries.map(({ applicationId: _, noteId, at, readAt, ...entry }) => ({
      ...entry,
      note: noteExcerpt((noteId && notes.get(noteId)) ?? '', staff),
      at: at.getTime(),
      isNew: readAt === null,
    })),
  };
}

/** Opens what an entry is about, which marks it as read; without an entry all are marked. */
export async function action({ request, context }: Route.ActionArgs) {
  const { staff, platform } = await requireDesk({ request, context });
  const form = await readForm({ request, context });
  const id = formText(form, 'entry');
  if (id !== '' && !isUuid(id)) return data(null, { status: 422 });
  const marked = { staffId: staff.id, id: id === '' ? null : id, at: platform.now() };
  const opened = await markForYouRead(platform.db, marked);
  if (id === '') return redirect('/admin/for-you');
  if (!opened) return data(null, { status: 404 });
  const { number, noteId, kind } = opened;
  const section = kind === 'message' ? 'messages' : 'application';
  const place = noteId === null ? section : `note-${noteId}`;
  return redirect(`/admin/applications/${number}#${place}`);
}

export default function ForYouPage({ loaderData }: Route.ComponentProps) {
  const { t, language } = useTranslation('for-you');
  const { entries } = loaderData;
  const columns: EntryColumn<(typeof entries)[number]>[] = [
    {
      head: t('application'),
      isRowName: true,
      render: ({ id, isNew, name, number }) => (
        <>
          <Form method="post">
            <input name="entry" type="hidden" value={id} />
            <button
              aria-label={t('openOf', { name })}
              className={isNew ? 'link-button font-semibold' : 'link-button'}
            >
              <bdi>{name}</bdi>
            </button>
          </Form>
          <span className="text-fine text-ink-2">
            <NumberCode value={number} />
          </span>
        </>
      ),
    },
    {
      head: t('what'),
      isLabelled: true,
      render: ({ isNew, kind, note }) => (
        <>
          {t(`kind.${kind}`)}
          {isNew ? (
            <strong className="ms-2 rounded-tag bg-blue-ground px-2 text-fine text-blue">
              {t('new')}
            </strong>
          ) : null}
          {note === '' ? null : (
            <p className="max-w-[560px] text-ink-2 wrap-anywhere" dir="auto">
              {note}
            </p>
          )}
        </>
      ),
    },
    { head: t('from'), isLabelled: true, render: ({ by }) => <bdi>{by ?? t('traveller')}</bdi> },
    {
      head: t('when'),
      isLabelled: true,
      className: 'whitespace-nowrap',
      render: ({ at }) => formatMoment(new Date(at), language, UTC, 'short'),
    },
  ];
  return (
    <DeskPage>
      <title>{`${t('title')} – Lale`}</title>
      <h1>{t('title')}</h1>
      <p className="mt-1 text-ink-2">{t('lead', { most: MAX_FOR_YOU_ENTRIES })}</p>
      {entries.length === 0 ? (
        <p className="py-10 text-ink-2">{t('empty')}</p>
      ) : (
        <>
          <EntriesTable
            className="mt-3"
            columns={columns}
            entries={entries}
            rowOf={({ id }) => ({ key: id })}
          />
          {entries.some(({ isNew }) => isNew) ? (
            <Form className="mt-4" method="post">
              <button className="link-button">{t('all')}</button>
            </Form>
          ) : null}
        </>
      )}
    </DeskPage>
  );
}
