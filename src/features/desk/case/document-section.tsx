import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from 'react-router';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { may, type Role } from '~/features/staff/roles.ts';
import { Button } from '~/ui/button.tsx';
import type { Detail } from '../records/detail.server.ts';
import { MAX_PDF_MEGABYTES } from '../visa-document/pdf-rules.ts';
import { DropZone, type KeptFile } from '../visa-document/drop-zone.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';

/** The delivered file, and where one is attached: with the approval, or after it. */
export function DocumentSection({
  application,
  role,
  keptFile,
}: {
  application: Detail;
  role: Role;
  /** A file uploaded for a decision that was not sent yet. */
  keptFile: KeptFile | null;
}) {
  const { t } = useTranslation(['desk', 'decision']);
  const { status, documents, kind, paid } = application;
  const current = documents.find(({ replacedAt }) => replacedAt === null);
  const isOpen = status === 'pending' || status === 'processing';
  const mayAttach = status === 'approved' && (!current || may(role, 'replace_document'));
  const hasNothing = documents.length === 0;
  if (hasNothing && (status === 'rejected' || (isOpen && !paid))) return null;
  return (
    <section className="desk-facts">
      <h3>{t(kind === 'visa' ? 'document.titleVisa' : 'document.titleInsurance')}</h3>
      <Documents application={application} />
      {status === 'approved' && !current ? (
        <p className="text-ink-2">
          {t(kind === 'visa' ? 'document.none' : 'document.noneInsurance')}
        </p>
      ) : null}
      {isOpen && paid ? (
        <DropZone
          form="decide"
          hint={t(kind === 'visa' ? 'document.hint' : 'document.hintInsurance', {
            megabytes: MAX_PDF_MEGABYTES,
          })}
          keptFile={keptFile}
          title={t(kind === 'visa' ? 'document.attach' : 'document.attachInsurance')}
          to={application.number}
        />
      ) : null}
      {mayAttach ? (
        <Form
          className="[&>div]:mb-2.5"
          encType="multipart/form-data"
          method="post"
          preventScrollReset
        >
          <input name="intent" type="hidden" value="attach" />
          <DropZone
            hint={t('document.hintLater', { megabytes: MAX_PDF_MEGABYTES })}
            keptFile={keptFile}
            title={t(
              current
                ? 'document.replace'
                : kind === 'visa'
                  ? 'document.attach'
                  : 'document.attachInsurance',
            )}
            to={application.number}
          />
          <Button look="secondary" small wide>
            {t(current ? 'decision:attach.replace' : 'decision:attach.first')}
          </Button>
        </Form>
      ) : null}
    </section>
  );
}

function Documents({ application }: { application: Detail }) {
  const { t } = useTranslation('desk');
  const language = useLanguage();
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
