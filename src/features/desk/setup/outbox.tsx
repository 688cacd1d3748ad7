import { useTranslation } from '~/ui/texts/texts.tsx';
import { data } from 'react-router';
import { Link } from '~/ui/page/link.tsx';
import { DeskPage } from '../frame/desk-page.tsx';
import { EntriesTable } from '../frame/lists.tsx';
import { hasOutbox, listOutbox, readOutbox } from './outbox.server.ts';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import type { Route } from './+types/outbox.ts';

/** The emails of test mode; `?message=` opens one beside the list. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { platform, record } = await requireDesk({ request, context }, 'view_outbox');
  if (!hasOutbox(platform)) throw data(null, { status: 404 });
  const name = new URL(request.url).searchParams.get('message');
  const [entries, message] = await Promise.all([
    listOutbox(platform),
    name === null ? null : readOutbox(platform, name),
  ]);
  if (name !== null && !message) throw data(null, { status: 404 });
  await record('outbox_viewed', ['outbox', name ?? 'list']);
  const opened = message && { ...message, html: null };
  return { entries, message: opened };
}

export default function OutboxPage({ loaderData: { entries, message } }: Route.ComponentProps) {
  const { t, language } = useTranslation('desk');
  return (
    <DeskPage panel={message ? <Message message={message} /> : undefined}>
      <title>{`${t('outbox.title')} – Lale`}</title>
      <h1>{t('outbox.title')}</h1>
      <p className="mt-1 text-ink-2">{t('outbox.lead')}</p>
      {entries.length === 0 ? (
        <p className="py-10 text-ink-2">{t('outbox.empty')}</p>
      ) : (
        <EntriesTable
          className="mt-3"
          columns={[
            {
              head: t('outbox.time'),
              className: 'whitespace-nowrap',
              render: ({ date }) => formatMoment(new Date(date), language, UTC, 'short'),
            },
            {
              head: t('outbox.to'),
              className: 'max-wide:wrap-anywhere',
              render: ({ to }) => <bdi dir="ltr">{to}</bdi>,
            },
            {
              head: t('outbox.subject'),
              className: 'max-wide:font-semibold max-wide:wrap-anywhere',
              render: ({ name, subject, language: writtenIn }) => (
                <bdi lang={writtenIn}>
                  <Link className="queue-link" to={`?message=${name}#message`}>
                    {subject}
                  </Link>
                </bdi>
              ),
            },
          ]}
          entries={entries}
          rowOf={({ name }) => ({
            key: name,
            className: 'max-wide:grid-cols-1 max-wide:gap-0 max-wide:px-0',
            isSelected: name === message?.name,
          })}
        />
      )}
    </DeskPage>
  );
}

type Opened = NonNullable<Route.ComponentProps['loaderData']['message']>;

/** An email's text, and a link to its HTML, which is a document without scripts. */
function Message({ message }: { message: Opened }) {
  const { t } = useTranslation('desk');
  return (
    <section className="grid grid-cols-1 gap-2 p-[22px]" id="message">
      <h2>
        <bdi lang={message.language}>{message.subject}</bdi>
      </h2>
      <p className="text-ink-2">
        <bdi dir="ltr">{message.to}</bdi>
      </p>
      <p>
        <a href={`/admin/outbox/${message.name}`} rel="noopener" target="_blank">
          {t('outbox.html')}
        </a>
      </p>
      <h3>{t('outbox.text')}</h3>
      <pre
        className="overflow-x-auto p-3 font-mono text-tiny/4.5 whitespace-pre-wrap"
        dir="auto"
        lang={message.language}
      >
        {message.text}
      </pre>
      <p>
        <Link to="/admin/outbox">{t('outbox.back')}</Link>
      </p>
    </section>
  );
}
