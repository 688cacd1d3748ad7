import { data, Form, redirect } from 'react-router';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { isUuid } from '~/base/uuid.ts';
import { forYouOf, markForYouRead } from './for-you.server.ts';
import { noteTexts } from '../application/notes.server.ts';
import { excerptFor, MOST_FOR_YOU } from '../application/note.ts';
import { DeskPage } from '../frame/desk-page.tsx';
import { EntryLabel } from '../frame/panel.tsx';
import { formText } from '~/platform/input/form-text.ts';
import { auditViews } from '~/features/staff/audit.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { PRIVATE_PAGE, platformContext } from '~/platform/http/request.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { Route } from './+types/for-you.ts';

/** What colleagues gave to oneself or asked in a note, newest first. Opening a page reads nothing off: a press does. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const staff = await requireStaff({ request, context });
  const platform = context.get(platformContext);
  const entries = await forYouOf(platform.db, staff.id);
  const seen = [...new Set(entries.map(({ applicationId }) => applicationId))];
  await auditViews(platform.db, staff, seen, platform.now());
  const noteIds = entries.flatMap(({ noteId }) => noteId ?? []);
  const notes = await noteTexts(platform.db, platform.sealer, noteIds);
  return {
    entries: entries.map(({ applicationId: _, noteId, at, readAt, ...entry }) => ({
      ...entry,
      note: excerptFor((noteId && notes.get(noteId)) ?? '', staff),
      at: at.getTime(),
      isNew: readAt === null,
    })),
  };
}

/** Opens what an entry is about, which marks it as read; without an entry all are marked. */
export async function action({ request, context }: Route.ActionArgs) {
  const staff = await requireStaff({ request, context });
  const platform = context.get(platformContext);
  const form = await readForm({ request, context });
  const id = formText(form, 'entry');
  if (id !== '' && !isUuid(id)) return data(null, { status: 422 });
  const marked = { staffId: staff.id, id: id === '' ? null : id, at: platform.now() };
  const opened = await markForYouRead(platform.db, marked);
  if (id === '') return redirect('/admin/for-you', { headers: PRIVATE_PAGE });
  if (!opened) return data(null, { status: 404 });
  const { number, noteId } = opened;
  const place = noteId === null ? 'application' : `note-${noteId}`;
  return redirect(`/admin/applications/${number}#${place}`, { headers: PRIVATE_PAGE });
}

export default function ForYouPage({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation('for-you');
  const language = useLanguage();
  const { entries } = loaderData;
  return (
    <DeskPage>
      <title>{`${t('title')} – Lale`}</title>
      <h1>{t('title')}</h1>
      <p className="mt-1 text-ink-2">{t('lead', { most: MOST_FOR_YOU })}</p>
      {entries.length === 0 ? (
        <p className="py-10 text-ink-2">{t('empty')}</p>
      ) : (
        <>
          <table className="desk-table row-entries mt-3">
            <thead className="max-wide:sr-only">
              <tr>
                <th scope="col">{t('application')}</th>
                <th scope="col">{t('what')}</th>
                <th scope="col">{t('from')}</th>
                <th scope="col">{t('when')}</th>
              </tr>
            </thead>
            <tbody>
              {entries.map((entry) => (
                <tr key={entry.id}>
                  <th scope="row">
                    <Form method="post">
                      <input name="entry" type="hidden" value={entry.id} />
                      <button
                        aria-label={t('openOf', { name: entry.name })}
                        className={entry.isNew ? 'link-button font-semibold' : 'link-button'}
                      >
                        <bdi>{entry.name}</bdi>
                      </button>
                    </Form>
                    <span className="text-fine text-ink-2">
                      <NumberCode value={entry.number} />
                    </span>
                  </th>
                  <td>
                    <EntryLabel>{t('what')}</EntryLabel>
                    {t(`kind.${entry.kind}`)}
                    {entry.isNew ? (
                      <strong className="ms-2 rounded-tag bg-blue-ground px-2 text-fine text-blue">
                        {t('new')}
                      </strong>
                    ) : null}
                    {entry.note === '' ? null : (
                      <p className="max-w-[560px] text-ink-2 wrap-anywhere" dir="auto">
                        {entry.note}
                      </p>
                    )}
                  </td>
                  <td>
                    <EntryLabel>{t('from')}</EntryLabel>
                    <bdi>{entry.by}</bdi>
                  </td>
                  <td className="whitespace-nowrap">
                    <EntryLabel>{t('when')}</EntryLabel>
                    {formatMoment(new Date(entry.at), language, UTC, 'short')}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
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
