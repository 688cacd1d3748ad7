import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { classNames } from '~/ui/class-names.ts';
import { Icon } from '~/ui/icon.tsx';
import { useToast } from '~/ui/page/toast.tsx';
import {
  comparedFacts,
  isMatch,
  type ComparisonMarks,
  MAX_PDF_MEGABYTES,
  MAX_PDF_BYTES,
  pdfErrors,
  type PdfError,
  type DocumentMatch,
} from './pdf-rules.ts';

type State =
  | { kind: 'empty' }
  | { kind: 'sending'; name: string; share: number }
  | { kind: 'ready'; name: string; fileId: string; marks: ComparisonMarks | null }
  | { kind: 'refused'; name: string; error: SendError };

/** A file that was uploaded before, with what was found in it. */
export type KeptFile = { fileId: string; marks: ComparisonMarks };

/**
 * The browser's file chooser in a frame on which a file can be dropped. With scripts the file is uploaded as soon as it
 * is chosen, says at once what of the application stands in it, and the form submits its id; without them, or where that fails, the form submits the file.
 */
export function DropZone({
  form,
  hint,
  title,
  to,
  keptFile,
  of = '',
  removeName,
}: {
  /** Id of its form, where it stands outside. */
  form?: string;
  hint: string;
  title: string;
  /** Number of the application that it is for. */
  to: string;
  keptFile: KeptFile | null;
  /** Suffix of its fields' names, where a page has several. */
  of?: string;
  /** Name of the button that removes the file, where a page has several. */
  removeName?: string;
}) {
  const { t } = useTranslation(['decision', 'desk']);
  const { toast } = useToast();
  const input = useRef<HTMLInputElement>(null);
  const zone = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<State>(
    keptFile ? { kind: 'ready', name: t('file.kept'), ...keptFile } : { kind: 'empty' },
  );

  const send = async () => {
    const file = input.current?.files?.[0];
    if (!file) return;
    const { name } = file;
    setState({ kind: 'sending', name, share: 0 });
    const sent = await sendFile(file, to, (share) => setState({ kind: 'sending', name, share }));
    // Another file was chosen in the meantime.
    if (input.current?.files?.[0] !== file) return;
    if (sent.ok) {
      setState({ kind: 'ready', name, fileId: sent.fileId, marks: sent.marks });
      input.current.value = '';
    } else {
      setState({ kind: 'refused', name, error: sent.error });
      if (sent.error === 'unsent') return;
      input.current.value = '';
      toast({
        title: t('desk:error.title'),
        description: t(`desk:error.${sent.error}`, { megabytes: MAX_PDF_MEGABYTES }),
        tone: 'error',
      });
      // The error may be out of view for keyboard users.
      zone.current?.scrollIntoView({ block: 'nearest' });
    }
  };
  // For a file chosen before scripts ran, or restored by the browser.
  const sendChosen = useEffectEvent(() => void send());
  useEffect(() => sendChosen(), []);

  const remove = () => {
    if (input.current) input.current.value = '';
    // The chooser has to be there again before it can have the focus.
    flushSync(() => setState({ kind: 'empty' }));
    input.current?.focus();
  };
  // With the keyboard, the file chooser does the same; the key D opens it (`desk-keys.tsx`).
  const isOver = useFileDrop(
    zone,
    ([file]) => {
      if (!input.current || !file) return;
      const one = new DataTransfer();
      one.items.add(file);
      input.current.files = one.files;
      void send();
      zone.current?.scrollIntoView({ block: 'nearest' });
    },
    // The only one of its page takes what is dropped beside it as well.
    { anywhere: of === '' },
  );
  const error = state.kind === 'refused' ? state.error : null;
  const isReady = state.kind === 'ready';
  return (
    <div
      className={classNames(
        'relative grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-3 gap-y-1 rounded-field border border-dashed p-3.5',
        error ? 'border-tulip' : isOver ? 'border-turquoise' : 'border-edge',
        isOver && 'bg-turquoise-pale',
      )}
      ref={zone}
    >
      <Icon name={isReady && isSure(state.marks) ? 'check' : 'file'} />
      <label htmlFor={`document${of}`}>
        <span className="block font-semibold wrap-anywhere">
          {state.kind === 'empty' ? (
            title
          ) : (
            <>
              <span className="sr-only">{title}: </span>
              {state.name}
            </>
          )}
        </span>
        {isReady ? null : <span className="block text-fine text-ink-2">{hint}</span>}
      </label>
      <div
        aria-live="polite"
        className="col-start-2 flex flex-wrap items-center gap-2 text-fine empty:absolute [&>progress]:w-[140px] [&>progress]:accent-turquoise"
      >
        {state.kind === 'sending' ? (
          <>
            <progress aria-label={t('file.sending')} max={1} value={state.share} />
            <span>{t('file.sent', { percent: Math.floor(state.share * 100) })}</span>
          </>
        ) : null}
        {isReady ? <Marks marks={state.marks} /> : null}
        {error ? (
          <span className="font-semibold text-error">
            {error === 'unsent'
              ? t('file.unsent')
              : t(`desk:error.${error}`, { megabytes: MAX_PDF_MEGABYTES })}
          </span>
        ) : null}
      </div>
      <input
        accept="application/pdf,.pdf"
        // With a file there is nothing left to choose; “No file chosen” would be wrong.
        hidden={isReady}
        className="col-start-2 min-h-9 w-full min-w-0 text-fine file:me-2.5 file:min-h-8 file:rounded-[7px] file:border file:border-turquoise file:bg-paper file:px-2.5 file:font-semibold file:text-turquoise"
        form={form}
        id={`document${of}`}
        name={`document${of}`}
        onChange={() => void send()}
        ref={input}
        type="file"
      />
      {isReady ? (
        <input form={form} name={`fileId${of}`} type="hidden" value={state.fileId} />
      ) : null}
      {/*
       * The form is refused, too, until the file is replaced or removed: nobody may approve without the file they
       * chose.
       */}
      {error && error !== 'unsent' ? (
        <input form={form} name={`fileRefused${of}`} type="hidden" value={error} />
      ) : null}
      {isReady || error ? (
        <button
          aria-label={removeName}
          className="link-button col-start-2 justify-self-start"
          onClick={remove}
          type="button"
        >
          {t('file.remove')}
        </button>
      ) : null}
    </div>
  );
}

const isSure = (marks: ComparisonMarks | null): boolean =>
  marks !== null && !marks.isElsewhere && isMatch(marks.match);

/** What of the application stands in the file; where something does not, that it may be somebody else's. */
function Marks({ marks }: { marks: ComparisonMarks | null }) {
  const { t } = useTranslation('decision');
  const match = marks?.match ?? null;
  return (
    <span className="grid gap-1" data-testid="file-marks">
      {marks?.isElsewhere ? (
        <span className="font-semibold text-error">{t('compare.sameFile')}</span>
      ) : null}
      {isSure(marks) ? <span className="font-semibold text-green">{t('file.ready')}</span> : null}
      {match !== null && !isMatch(match) ? (
        <span className="font-semibold text-error">{t('file.differs')}</span>
      ) : null}
      {match === null ? (
        <span className="font-semibold text-amber">{t('compare.unread')}</span>
      ) : (
        <FactMarks match={match} />
      )}
    </span>
  );
}

/** Which facts of the application stand in a file. */
export function FactMarks({ match }: { match: DocumentMatch }) {
  const { t } = useTranslation('decision');
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-0.5">
      {comparedFacts.map((fact) => (
        <span
          className={`flex items-center gap-1 ${match[fact] ? 'text-green' : 'text-error'}`}
          key={fact}
        >
          <Icon name={match[fact] ? 'check' : 'cross'} />
          {t(`compare.fact.${fact}`)}
          <span className="sr-only">: {t(match[fact] ? 'compare.found' : 'compare.missing')}</span>
        </span>
      ))}
    </span>
  );
}

/** `unsent`: the connection failed, or the session has ended. The form can still submit the file itself. */
type SendError = PdfError | 'unsent';
type Sent =
  | { ok: true; fileId: string; marks: ComparisonMarks | null }
  | { ok: false; error: SendError };

/**
 * Uploads a PDF before the form that will name it, reporting the progress (0 to 1). A file that is obviously wrong is
 * refused without uploading. For browsers only; `XMLHttpRequest`, because `fetch` reports no progress.
 */
async function sendFile(
  file: File,
  applicationNumber: string,
  onProgress: (share: number) => void,
): Promise<Sent> {
  if (file.size > MAX_PDF_BYTES) return { ok: false, error: 'too_large' };
  if (!(await file.slice(0, 5).text()).startsWith('%PDF-'))
    return { ok: false, error: 'wrong_type' };
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/api/admin/files?application=${encodeURIComponent(applicationNumber)}`);
    request.setRequestHeader('Content-Type', 'application/pdf');
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total > 0 ? loaded / total : 0),
    );
    request.addEventListener('loadend', () => resolve(answerOf(request)));
    request.send(file);
  });
}

/** What the service says; null for another answer, as of a proxy. */
type UploadAnswer = {
  id?: string;
  comparison?: ComparisonMarks;
  errors?: { file?: string };
} | null;

function answerOf({ status, response }: XMLHttpRequest): Sent {
  const answer: UploadAnswer = response;
  // Without a comparison the service has not compared it.
  if (status === 201 && answer?.id !== undefined)
    return { ok: true, fileId: answer.id, marks: answer.comparison ?? null };
  return { ok: false, error: pdfErrors.find((one) => one === answer?.errors?.file) ?? 'unsent' };
}

/** Lets files be dropped on an element, or anywhere on its page. Returns whether some are being held over it. */
export function useFileDrop(
  zone: RefObject<HTMLElement | null>,
  onFiles: (files: readonly File[]) => void,
  { anywhere = false } = {},
): boolean {
  const [isOver, setOver] = useState(false);
  const take = useEffectEvent((event: DragEvent) => {
    if (!hasFiles(event)) return;
    // Otherwise the browser would open the file in place of the page.
    event.preventDefault();
    setOver(false);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) onFiles(files);
  });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    // Leaving an element of the page for another one is no leaving of the page.
    const leave = ({ relatedTarget }: DragEvent) =>
      anywhere && relatedTarget !== null ? undefined : setOver(false);
    const target: HTMLElement | null = anywhere ? document.documentElement : zone.current;
    target?.addEventListener('dragover', over, { signal });
    target?.addEventListener('dragleave', leave, { signal });
    target?.addEventListener('drop', (event) => take(event), { signal });
    return () => controller.abort();
  }, [zone, anywhere]);
  return isOver;
}

/** Text and links are dragged as well. */
const hasFiles = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer?.types.includes('Files') ?? false;
