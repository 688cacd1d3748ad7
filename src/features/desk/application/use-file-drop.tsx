import { useEffect, useEffectEvent, useState, type RefObject } from 'react';

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
