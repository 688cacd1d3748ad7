import { useEffect, useEffectEvent, useState, type RefObject } from 'react';

/** Lets a file (the first of several) be dropped on an element. Returns whether one is being held over it. */
export function useFileDrop(
  zone: RefObject<HTMLElement | null>,
  onFile: (file: File) => void,
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
    zone.current?.addEventListener('dragover', over, { signal });
    zone.current?.addEventListener('dragleave', () => setOver(false), { signal });
    zone.current?.addEventListener('drop', (event) => take(event), { signal });
    return () => controller.abort();
  }, [zone]);
  return isOver;
}
