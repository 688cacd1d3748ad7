import { useEffect, useEffectEvent, useState, type RefObject } from 'react';

/**
 * Lets a file (the first of several) be dropped on an element, or anywhere on its page. Returns whether one is being held
 * over it.
 */
export function useFileDrop(
  zone: RefObject<HTMLElement | null>,
  onFile: (file: File) => void,
  { anywhere = false } = {},
): boolean {
  const [isOver, setOver] = useState(false);
  const take = useEffectEvent((event: DragEvent) => {
    // Otherwise the browser would open the file in place of the page.
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer?.files[0];
    if (file) onFile(file);
  });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const over = (event: DragEvent) => {
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
