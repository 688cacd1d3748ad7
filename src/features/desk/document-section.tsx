import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Form } from 'react-router';
import { formatMoment, UTC } from '~/base/dates.ts';
import { may, type Role } from '~/features/staff/roles.ts';
import { Button } from '~/ui/button.tsx';
import { Icon } from '~/ui/icon.tsx';
import type { Detail } from './detail.server.ts';
import { useDeskLanguage } from './queue-row-state.tsx';

/** The delivered file and where one is attached: with the approval, or after it. */
export function DocumentSection({ application, role }: { application: Detail; role: Role }) {
  const { t } = useTranslation('desk');
  const { status, documents, kind, paid } = application;
  const current = documents.find(({ replacedAt }) => replacedAt === null);
  const isOpen = status === 'pending' || status === 'processing';
  const mayAttach = status === 'approved' && (!current || may(role, 'replace_document'));
  if (status === 'rejected' && documents.length === 0) return null;
  return (
    <section className="desk-facts">
      <h3>{t(kind === 'visa' ? 'document.titleVisa' : 'document.titleInsurance')}</h3>
      <Documents application={application} />
      {status === 'approved' && !current ? (
        <p className="desk-quiet">
          {t(kind === 'visa' ? 'document.none' : 'document.noneInsurance')}
        </p>
      ) : null}
      {isOpen && paid ? (
        <DropZone
          form="decide"
          hint={t(kind === 'visa' ? 'document.hint' : 'document.hintInsurance')}
          kind={kind}
          replaces={false}
        />
      ) : null}
      {mayAttach ? (
        <Form encType="multipart/form-data" method="post" preventScrollReset>
          <DropZone hint={t('document.hintLater')} kind={kind} replaces={current !== undefined} />
          <Button look="secondary" name="intent" small value="attach" wide>
            {t('document.submit')}
          </Button>
        </Form>
      ) : null}
    </section>
  );
}

function Documents({ application }: { application: Detail }) {
  const { t } = useTranslation('desk');
  const language = useDeskLanguage();
  const moment = (at: Date) => formatMoment(at, language, UTC, 'dated');
  return (
    <ul className="desk-history">
      {application.documents.map(({ id, createdAt, replacedAt, by }) => (
        <li key={id}>
          <p>
            {by
              ? t('document.currentBy', { moment: moment(createdAt), name: by })
              : t('document.current', { moment: moment(createdAt) })}
          </p>
          {replacedAt ? <p>{t('document.replaced', { moment: moment(replacedAt) })}</p> : null}
          <p>
            <a href={`/admin/documents/${id}`} rel="noopener" target="_blank">
              {t('document.view')}
            </a>
          </p>
        </li>
      ))}
    </ul>
  );
}

/** A frame round the browser's own file chooser; a file may be dropped on it. */
function DropZone({
  form,
  hint,
  kind,
  replaces,
}: {
  /** Id of the form it belongs to, when it stands outside. */
  form?: string;
  hint: string;
  kind: 'visa' | 'insurance';
  replaces: boolean;
}) {
  const { t } = useTranslation('desk');
  const [name, setName] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const show = () => setName(input.current?.files?.[0]?.name ?? null);
  // Chosen before the scripts came, or brought back by the browser.
  useEffect(show, []);
  const title = replaces ? 'replace' : kind === 'visa' ? 'attach' : 'attachInsurance';
  return (
    <div className="drop-zone">
      <Icon name="file" />
      <label htmlFor="document">
        <span className="drop-title">{name ?? t(`document.${title}`)}</span>
        <span className="drop-hint">{hint}</span>
      </label>
      <input
        accept="application/pdf,.pdf"
        aria-label={t('document.choose')}
        form={form}
        id="document"
        name="document"
        onChange={show}
        ref={input}
        type="file"
      />
    </div>
  );
}
