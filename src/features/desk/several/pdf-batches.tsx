import { data, Form, redirect, useLocation } from 'react-router';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { retentionStart } from '~/base/retention-periods.ts';
import { DeskPage } from '../frame/desk-page.tsx';
import { formText } from '~/platform/input/form-text.ts';
import { addFiles, batchesByStaff } from './batch.server.ts';
import { MAX_BATCH_FILES, MAX_PDF_MEGABYTES } from '../application/pdf-rules.ts';
import { PdfDrop, Unsent, readUnsentCount } from './pdf-drop.tsx';
import { requireStaff } from '~/features/staff/require.server.ts';
import { BODY_LIMIT_MEGABYTES } from '~/platform/input/body-limit.ts';
import { PRIVATE_PAGE, platformContext } from '~/platform/http/request.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { Button } from '~/ui/button.tsx';
import { FormHead } from '~/ui/fields/error-summary.tsx';
import { FileField } from '~/ui/fields/file-field.tsx';
import { Link } from '~/ui/page/link.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { Route } from './+types/pdf-batches.ts';

/** Where several PDFs are added, and one's own batches of the last day. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const staff = await requireStaff({ request, context }, 'approve');
  const platform = context.get(platformContext);
  const since = retentionStart('deskUpload', platform.now());
  const batches = await batchesByStaff(platform.db, staff.id, since);
  return {
    batches: batches.map(({ createdAt, ...batch }) => ({ ...batch, at: createdAt.getTime() })),
  };
}

/** Adds files to a batch. Scripts send one file at a time (`one`) and stay; without them the batch is opened. */
export async function action({ request, context }: Route.ActionArgs) {
  const staff = await requireStaff({ request, context }, 'approve');
  const platform = context.get(platformContext);
  const form = await readForm({ request, context });
  const files = form.getAll('documents').filter((one) => one instanceof File && one.size > 0);
  const tooLarge = form.getAll('tooLarge').filter((one) => typeof one === 'string');
  const leftOut = Math.max(0, Math.floor(Number(formText(form, 'leftOut'))) || 0);
  if (files.length === 0 && tooLarge.length === 0 && leftOut === 0) {
    return data({ error: 'no_file' as const }, { status: 422, headers: PRIVATE_PAGE });
  }
  const batch = await addFiles(platform, staff, {
    batchId: formText(form, 'batch') || null,
    files: files.filter((one) => one instanceof File),
    tooLarge,
    leftOut,
  });
  if (!batch) throw data(null, { status: 404 });
  if (form.has('one')) return data({ error: null }, { status: 201, headers: PRIVATE_PAGE });
  return redirect(`/admin/pdfs/${batch.id}`, { headers: PRIVATE_PAGE });
}

/** Scripts send all PDFs one by one; without them all go in one form. */
const AT_ONCE_MEGABYTES = BODY_LIMIT_MEGABYTES - 1;

export default function PdfBatchesPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('pdf-batch');
  const language = useLanguage();
  const { batches } = loaderData;
  const unsent = readUnsentCount(useLocation().state);
  return (
    <DeskPage>
      <FormHead
        problems={actionData?.error ? [{ name: 'documents', message: t('noFile') }] : []}
        title={`${t('title')} – Lale`}
      />
      <h1>{t('title')}</h1>
      <p className="mt-1 max-w-[70ch] text-ink-2">{t('lead')}</p>
      <Unsent names={unsent} />
      <Form
        action="/admin/pdfs"
        className="mt-5 grid max-w-[560px] grid-cols-1 gap-4"
        encType="multipart/form-data"
        method="post"
        reloadDocument
      >
        <FileField
          accept="application/pdf,.pdf"
          error={actionData?.error ? t('noFile') : undefined}
          hint={t('hint', { most: MAX_BATCH_FILES, megabytes: MAX_PDF_MEGABYTES })}
          label={t('choose')}
          multiple
          name="documents"
          width="full"
        />
        <noscript>
          <p className="text-ink-2">{t('atOnce', { megabytes: AT_ONCE_MEGABYTES })}</p>
        </noscript>
        <Button className="justify-self-start" small>
          {t('add')}
        </Button>
      </Form>
      <PdfDrop input="documents" />
      {batches.length > 0 ? (
        <>
          <h2 className="mt-8">{t('kept')}</h2>
          <p className="mt-1 text-ink-2">{t('keptLead')}</p>
          <ul className="mt-2 grid gap-2">
            {batches.map(({ id, at, files, waiting }) => (
              <li key={id}>
                <Link to={`/admin/pdfs/${id}`}>
                  {t('batch', {
                    files,
                    moment: formatMoment(new Date(at), language, UTC, 'short'),
                  })}
                </Link>{' '}
                <span className="text-ink-2">{t('waiting', { waiting })}</span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </DeskPage>
  );
}
