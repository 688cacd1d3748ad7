import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { useNavigation } from 'react-router';
import { classNames } from '~/ui/class-names.ts';
import { Icon } from '~/ui/icon.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { MAX_PDF_BYTES, MAX_PDF_MEGABYTES } from './pdf-rules.ts';

/**
 * The PDF of one application. With scripts its form is sent as soon as one is chosen, or dropped anywhere on the page,
 * so that the next page shows it beside the application; without them its button sends it.
 */
export function PdfField({
  form,
  title,
  hint,
}: {
  /** Id of its form. */
  form: string;
  title: string;
  hint: string;
}) {
  const { t } = useTranslation(['decision', 'desk']);
  const input = useRef<HTMLInputElement>(null);
  const zone = useRef<HTMLDivElement>(null);
  const [isTooLarge, setTooLarge] = useState(false);
  const { formData } = useNavigation();
  const sent = formData?.get('document');
  const isSending = sent instanceof File && sent.size > 0;

  const send = () => {
    const file = input.current?.files?.[0];
    setTooLarge(file !== undefined && file.size > MAX_PDF_BYTES);
    if (!input.current || !file) return;
    if (file.size > MAX_PDF_BYTES) input.current.value = '';
    // By its button, which says when the form must not be sent.
    else input.current.form?.querySelector('button')?.click();
  };
  // With the keyboard, the file chooser does the same; the key D opens it (`desk-keys.tsx`).
  const isOver = useFileDrop(zone, ([file]) => {
    if (!input.current || !file) return;
    const one = new DataTransfer();
    one.items.add(file);
    input.current.files = one.files;
    send();
  });
  return (
    <div
      className={classNames(
        'grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-3 gap-y-1 rounded-field border border-dashed p-3.5',
        isTooLarge && 'border-tulip',
        isOver ? 'border-turquoise bg-turquoise-pale' : 'border-edge',
      )}
      ref={zone}
    >
      <Icon name="file" />
      <label htmlFor="document">
        <span className="block font-semibold">{title}</span>
        <span className="block text-fine text-ink-2">{hint}</span>
      </label>
      <input
        accept="application/pdf,.pdf"
        className="col-start-2 min-h-9 w-full min-w-0 text-fine file:me-2.5 file:min-h-8 file:rounded-[7px] file:border file:border-turquoise file:bg-paper file:px-2.5 file:font-semibold file:text-turquoise"
        form={form}
        id="document"
        name="document"
        onChange={send}
        ref={input}
        type="file"
      />
      <p aria-live="polite" className="col-start-2 text-fine empty:hidden">
        {isSending ? t('file.sending') : null}
        {isTooLarge ? (
          <span className="font-semibold text-error">
            {t('desk:error.too_large', { megabytes: MAX_PDF_MEGABYTES })}
          </span>
        ) : null}
      </p>
    </div>
  );
}

/** Takes files that are dropped anywhere on the page of an element. Returns whether some are being held over it. */
export function useFileDrop(
  zone: RefObject<HTMLElement | null>,
  onFiles: (files: readonly File[]) => void,
): boolean {
  const [isOver, setOver] = useState(false);
  const take = useEffectEvent((event: DragEvent) => {
    if (!hasFiles(event)) return;
    // Otherwise the browser would open the file in place of the page.
    event.preventDefault();
    setOver(false);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    zone.current?.scrollIntoView({ block: 'nearest' });
    onFiles(files);
  });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const page = document.documentElement;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    // Leaving an element of the page for another one is no leaving of the page.
    const leave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setOver(false);
    page.addEventListener('dragover', over, { signal });
    page.addEventListener('dragleave', leave, { signal });
    page.addEventListener('drop', (event) => take(event), { signal });
    return () => controller.abort();
  }, []);
  return isOver;
}

/** Text and links are dragged as well. */
const hasFiles = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer?.types.includes('Files') ?? false;
