import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { StatusTag } from '~/ui/status-tag.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useCase } from './case.tsx';
import type { MessageView } from './open-case.server.ts';

/** What the traveller wrote about the application and what staff answered, oldest first. */
export function MessagesSection() {
  const { t } = useTranslation('case-file');
  const { messages } = useCase().caseFile;
  if (messages.length === 0) return null;
  return (
    <section className="desk-facts" id="messages">
      <h3>{t('messages.title')}</h3>
      <ol className="desk-history">
        {messages.map((message) => (
          <MessageItem key={message.id} message={message} />
        ))}
      </ol>
    </section>
  );
}

function MessageItem({ message }: { message: MessageView }) {
  const { t, language } = useTranslation('case-file');
  const { id, at, by, sender, isNew, isAutomatic, isKnown, subject, text, files, leftOut } =
    message;
  const moment = formatMoment(at, language, UTC, 'dated');
  return (
    <li data-testid="message" id={`message-${id}`}>
      <p className="flex flex-wrap items-center gap-x-2">
        <span>
          {by === null
            ? t('messages.received', { moment })
            : t('messages.written', { name: by, moment })}
        </span>
        {isNew ? <StatusTag tone="blue">{t('marks.message')}</StatusTag> : null}
        {isAutomatic ? <span>{t('messages.automatic')}</span> : null}
      </p>
      {sender === null ? null : (
        <p>
          <bdi dir="ltr">{sender}</bdi>
        </p>
      )}
      {isKnown ? null : <p className="font-semibold text-amber">{t('messages.unknown')}</p>}
      <p className="font-semibold text-ink" dir="auto">
        {subject}
      </p>
      <p className="whitespace-pre-line text-ink" dir="auto">
        {text}
      </p>
      {files.length > 0 ? (
        <ul>
          {files.map((file) => (
            <li key={file.id}>
              <a className="desk-link" download href={`/admin/message-files/${file.id}`}>
                <bdi>{file.name}</bdi>
              </a>{' '}
              <bdi dir="ltr">{`${Math.max(1, Math.round(file.size / 1024))} KB`}</bdi>
            </li>
          ))}
        </ul>
      ) : null}
      {leftOut > 0 ? <p>{t('messages.leftOut', { count: leftOut })}</p> : null}
    </li>
  );
}
