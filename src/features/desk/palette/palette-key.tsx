import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '~/ui/page/lazy-part.tsx';
import type { Role } from '~/features/staff/roles.ts';

const Palette = lazyPart(async () => (await import('./palette.tsx')).Palette);

/** Asks for the palette, from a button of the page. */
const ASKED = 'desk-palette';
export const openPalette = (): void => void dispatchEvent(new Event(ASKED));

/** Opens the palette on Ctrl+K or ⌘K; its script is fetched then. */
export function PaletteKey({ role, outbox }: { role: Role; outbox: boolean }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isIt = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      if (!isIt || event.altKey || event.shiftKey || document.querySelector('dialog:modal')) return;
      // Browsers have their own use for it.
      event.preventDefault();
      setOpen(true);
    };
    const ask = () => setOpen(true);
    document.addEventListener('keydown', press);
    addEventListener(ASKED, ask);
    return () => {
      document.removeEventListener('keydown', press);
      removeEventListener(ASKED, ask);
    };
  }, []);
  if (!isOpen) return null;
  return (
    <Suspense>
      <Palette onClose={() => setOpen(false)} outbox={outbox} role={role} />
    </Suspense>
  );
}
