import { useState, type ChangeEvent } from 'react';
import { Form } from 'react-router';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { messageTemplates } from '~/features/application/template.ts';
import { Button } from '~/ui/button.tsx';
import { SelectField } from '~/ui/fields/select-field.tsx';
import { TextArea } from '~/ui/fields/text-field.tsx';
import { StatusTag } from '~/ui/status-tag.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatLanguage } from '../frame/formats.ts';
import { TemplatePreview, toggleOfferedText } from '../settings/template-preview.tsx';
import { isActionOffered, keyOf, MESSAGE, MESSAGE_TEMPLATE, SEEN_UNTIL } from './case-actions.ts';
import { DoneNotice, useCase, useIsSending, useProblem } from './case.tsx';
import { MAX_MESSAGE_LENGTH } from './decision-types.ts';
import { MAX_MESSAGE_FILES, MAX_PDF_MEGABYTES } from './pdf-rules.ts';
import type { MessageView } from './open-case.server.ts';

/** What the traveller wrote about the application and what staff answered, oldest first. */
export function MessagesSection() {
  const { t } = useTranslation('case-file');
  const { messages } = useCase().caseFile;
  return (
    <section className="desk-facts" id="messages">
      <h3>{t('messages.title')}</h3>
      <DoneNotice place="messages" />
      {messages.length > 0 ? (
        <ol className="desk-history">
          {messages.map((message) => (
            <MessageItem key={message.id} message={message} />
          ))}
        </ol>
      ) : null}
      {messages.some(({ isNew }) => isNew) ? (
        <Form method="post" preventScrollReset>
          <button
            {...keyOf('read_messages')}
            className="link-button"
            name="intent"
            value="read_messages"
          >
            {t('messages.markRead')}
          </button>
        </Form>
      ) : null}
      <MessageForm />
    </section>
  );
}

function MessageItem({ message }: { message: MessageView }) {
  const { t, language } = useTranslation('case-file');
  const { id, at, by, sender, isNew, isAutomatic, isKnown, subject, text, files, leftOut, state } =
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
        {state === null || state === 'sent' ? null : (
          <StatusTag tone={state === 'failed' ? 'red' : 'amber'}>
            {t(`emails.state.${state}`)}
          </StatusTag>
        )}
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
      {leftOut > 0 ? (
        <p>
          {t('messages.leftOut', {
            count: leftOut,
            most: MAX_MESSAGE_FILES,
            megabytes: MAX_PDF_MEGABYTES,
          })}
        </p>
      ) : null}
    </li>
  );
}

/** A message to the traveller, from a template or not: leads to its preview, from which it is sent. */
function MessageForm() {
  const { application, draft, madeAt, templates, viewer } = useCase();
  const { problem, text: error } = useProblem('message');
  const { t, language } = useTranslation(['case-file', 'decision']);
  // What is written meanwhile by somebody else was not seen when this was begun.
  const [begunAt] = useState(madeAt);
  const [chosen, setChosen] = useState(problem?.typed[MESSAGE_TEMPLATE] ?? '');
  const isSending = useIsSending('message', application.id);
  if (!isActionOffered('message', application, viewer.role)) return null;
  const template = templates.message[chosen];
  const choose = ({ currentTarget: { value, form } }: ChangeEvent<HTMLSelectElement>) => {
    setChosen(value);
    const area = form?.elements.namedItem(MESSAGE);
    if (!(area instanceof HTMLTextAreaElement)) return;
    const before = template ? toggleOfferedText(area.value, template.sent, false) : area.value;
    const sent = templates.message[value]?.sent;
    area.value = sent === undefined ? before : toggleOfferedText(before, sent, true);
  };
  const seenUntil = problem?.error.code === 'answered' ? problem.error.at.getTime() : begunAt;
  return (
    <details className="desk-more" open={problem !== null || draft?.message != null || undefined}>
      <summary {...keyOf('message')}>{t('messages.write')}</summary>
      <Form
        className="grid gap-2.5 pt-1 pb-3"
        key={draft?.message == null ? '' : draft.id}
        method="post"
        preventScrollReset
      >
        <input name="intent" type="hidden" value="message" />
        <input name="about" type="hidden" value={application.id} />
        <input name={SEEN_UNTIL} type="hidden" value={seenUntil} />
        <SelectField
          defaultValue={chosen}
          emptyLabel={t('messages.noTemplate')}
          label={t('messages.choose')}
          name={MESSAGE_TEMPLATE}
          onChange={choose}
          options={messageTemplates.map((name) => ({
            value: name,
            label: t(`messages.template.${name}`),
          }))}
          width="full"
        />
        {template && templates.isForeign ? (
          <TemplatePreview chosen={[template]} templates={templates} />
        ) : null}
        <TextArea
          defaultValue={problem?.typed[MESSAGE] ?? draft?.message ?? ''}
          dir="auto"
          error={error}
          hint={t('messages.hint', {
            language: formatLanguage(application.emailLanguage, language),
          })}
          label={t('messages.text')}
          lang={application.emailLanguage}
          maxLength={MAX_MESSAGE_LENGTH}
          name={MESSAGE}
          readOnly={isSending}
          rows={6}
        />
        <Button busy={isSending} look="secondary" small wide>
          {t('decision:reject.continue')}
        </Button>
      </Form>
    </details>
  );
}
