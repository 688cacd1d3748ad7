import { useRef, useState } from 'react';
import { Form, useNavigate } from 'react-router';
import { BODY_LIMIT_MEGABYTES } from '~/platform/input/body-limit.ts';
import { Button } from '~/ui/button.tsx';
import { FileField } from '~/ui/fields/file-field.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useFileDrop } from '../application/drop-zone.tsx';
import {
  MAX_PDF_BYTES,
  MAX_PDF_MEGABYTES,
  MAX_WAITING_PDFS,
  waitingErrors,
  type WaitingError,
} from '../application/pdf-rules.ts';

/** A file that was not added, and why. `unsent`: the connection failed, or the session has ended. */
export type RefusedPdf = { name: string; error: WaitingError | 'unsent' };

/** What the page of the PDFs is told by the one that sent them. */
export type PdfsState = { refused: RefusedPdf[] };

/** Scripts send all PDFs one by one; without them all go in one form. */
const AT_ONCE_MEGABYTES = BODY_LIMIT_MEGABYTES - 1;

/** Where PDFs are chosen, and dropped anywhere on the page. `to`: the page that shows them beside their applications. */
export function PdfForm({ to, error }: { to: string; error?: string | undefined }) {
  const { t } = useTranslation('pdfs');
  const { send, message } = useSendPdfs(to);
  return (
    <>
      <Form
        action={to}
        className="mt-3 grid max-w-[560px] grid-cols-1 gap-3"
        encType="multipart/form-data"
        method="post"
        reloadDocument
      >
        <FileField
          accept="application/pdf,.pdf"
          error={error}
          hint={t('hint', { most: MAX_WAITING_PDFS, megabytes: MAX_PDF_MEGABYTES })}
          label={t('choose')}
          multiple
          name="documents"
          onChange={({ currentTarget }) => {
            const files = [...(currentTarget.files ?? [])];
            currentTarget.value = '';
            void send(files);
          }}
          width="full"
        />
        <noscript>
          <p className="text-ink-2">{t('atOnce', { megabytes: AT_ONCE_MEGABYTES })}</p>
        </noscript>
        <Button className="justify-self-start" look="secondary" small>
          {t('add')}
        </Button>
      </Form>
      {message}
    </>
  );
}

/** Takes PDFs that are dropped anywhere on the page. */
export const PdfDrop = () => useSendPdfs('/admin/pdfs').message;

/**
 * Sends PDFs one by one, those that are dropped anywhere on the page as well, and opens the page that shows their
 * applications. `message`: says what is being done.
 */
function useSendPdfs(to: string) {
  const { t } = useTranslation('pdfs');
  const navigate = useNavigate();
  const zone = useRef<HTMLDivElement>(null);
  const [sending, setSending] = useState<{ done: number; total: number } | null>(null);

  const send = async (files: readonly File[]) => {
    if (sending !== null || files.length === 0) return;
    const refused: RefusedPdf[] = [];
    for (const [done, file] of files.entries()) {
      setSending({ done, total: files.length });
      const isFull = refused.some(({ error }) => error === 'full');
      const error = isFull ? 'full' : await sendPdf(file);
      if (error) refused.push({ name: file.name, error });
    }
    setSending(null);
    await navigate(to, { state: { refused } satisfies PdfsState });
  };

  const isOver = useFileDrop(zone, (files) => void send(files));
  const message = (
    // Always there, and displayed, so that screen readers announce what comes into it.
    <div ref={zone} role="status">
      {sending || isOver ? (
        <div className="fixed end-4 bottom-[calc(16px+var(--desk-messages-size))] z-40 w-[min(420px,calc(100vw-32px))] rounded-[12px] bg-ink px-4 py-3 font-semibold text-cream shadow-toast ring-1 ring-ink-line forced-colors:border print:hidden">
          {sending ? (
            <>
              <span className="block">
                {t('sending', { done: sending.done + 1, total: sending.total })}
              </span>
              <progress
                aria-label={t('sendingLabel')}
                className="mt-2 w-full accent-turquoise"
                max={sending.total}
                value={sending.done}
              />
            </>
          ) : (
            t('drop')
          )}
        </div>
      ) : null}
    </div>
  );
  return { send, message };
}

/** Sends a file. Resolves to why it was not added; null where it was. For browsers. */
async function sendPdf(file: File): Promise<RefusedPdf['error'] | null> {
  if (file.size > MAX_PDF_BYTES) return 'too_large';
  const body = new FormData();
  body.set('file', file);
  try {
    const response = await fetch('/api/admin/files?waits=true', { method: 'POST', body });
    if (response.status === 201) return null;
    const { errors }: { errors?: { file?: string } } = await response.json();
    return waitingErrors.find((one) => one === errors?.file) ?? 'unsent';
  } catch {
    return 'unsent';
  }
}
