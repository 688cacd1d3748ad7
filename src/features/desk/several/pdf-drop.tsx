import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useFileDrop } from '../application/drop-zone.tsx';
import { MAX_BATCH_FILES, MAX_PDF_BYTES } from '../application/pdf-rules.ts';
import { Notice } from '~/ui/notice.tsx';

type Sending = { done: number; total: number };

/**
 * Takes PDFs that are dropped anywhere on the page, or chosen in the file field with the id `input`, sends them one by
 * one, and opens the page that shows their applications. Nothing of it is there without scripts.
 */
export function PdfDrop({ input }: { input?: string }) {
  const { t } = useTranslation('pdf-batch');
  const navigate = useNavigate();
  const zone = useRef<HTMLDivElement>(null);
  const [sending, setSending] = useState<Sending | null>(null);

  const send = async (files: readonly File[]) => {
    if (sending !== null || files.length === 0) return;
    const batch = crypto.randomUUID();
    const taken = files.slice(0, MAX_BATCH_FILES);
    const unsent: string[] = [];
    for (const [done, file] of taken.entries()) {
      setSending({ done, total: taken.length });
      const isLarge = file.size > MAX_PDF_BYTES;
      const isSent = isLarge
        ? await sendPart(batch, 'tooLarge', file.name)
        : await sendPart(batch, 'documents', file);
      if (!isSent) unsent.push(file.name);
    }
    const left = files.length - taken.length;
    if (left > 0) await sendPart(batch, 'leftOut', String(left));
    setSending(null);
    // Where not one has arrived there is no batch.
    const to = unsent.length === files.length ? '/admin/pdfs' : `/admin/pdfs/${batch}`;
    await navigate(to, { state: { unsent } satisfies BatchState });
  };

  const choose = useEffectEvent((event: Event) => {
    const { currentTarget } = event;
    if (!(currentTarget instanceof HTMLInputElement) || !currentTarget.files?.length) return;
    void send([...currentTarget.files]);
    currentTarget.value = '';
  });
  useEffect(() => {
    const field = input === undefined ? null : document.getElementById(input);
    const chosen = (event: Event) => choose(event);
    field?.addEventListener('change', chosen);
    return () => field?.removeEventListener('change', chosen);
  }, [input]);

  const isOver = useFileDrop(zone, (files) => void send(files), { anywhere: true });
  return (
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
}

/**
 * Sends a file of a batch, the name of one that is too large, or how many files were more than it takes. Resolves to
 * whether it arrived. For browsers.
 */
async function sendPart(
  batch: string,
  name: 'documents' | 'tooLarge' | 'leftOut',
  value: string | File,
): Promise<boolean> {
  const body = new FormData();
  body.set('batch', batch);
  body.set('one', 'yes');
  body.append(name, value);
  try {
    // A redirect leads to the sign-in page: then nothing was stored.
    const answer = await fetch('/admin/pdfs', { method: 'POST', body, redirect: 'manual' });
    return answer.status === 201;
  } catch {
    return false;
  }
}

/** What the page of a batch is told by the one that sent its files: the names of those that did not arrive. */
type BatchState = { unsent: string[] };

export function readUnsentCount(state: unknown): string[] {
  if (typeof state !== 'object' || state === null || !('unsent' in state)) return [];
  const { unsent } = state;
  return Array.isArray(unsent) ? unsent.filter((name) => typeof name === 'string') : [];
}

/** Names the files that did not arrive; nothing where all did. */
export function Unsent({ names }: { names: readonly string[] }) {
  const { t } = useTranslation('pdf-batch');
  if (names.length === 0) return null;
  return (
    <Notice className="mt-3" role="alert" title={t('unsent')} tone="red">
      <ul>
        {names.map((name) => (
          <li className="wrap-anywhere" key={name}>
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
