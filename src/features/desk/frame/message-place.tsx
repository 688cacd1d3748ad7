import { useEffect, useRef, type ReactNode } from 'react';
import { TOASTS_ID } from '~/ui/toast/toast.tsx';

/** How high it is, for what else keeps to the bottom of the screen (`css/frame.css`). */
const SIZE = '--desk-messages-size';

/**
 * Where passing messages of the desk stand: below the page, and at the bottom of the screen while that is scrolled. It is
 * part of the layout, so that no message lies on a button: what has its place above it makes room.
 */
export function MessagePlace({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const root = document.documentElement.style;
    const observer = new ResizeObserver(() => {
      root.setProperty(SIZE, `${place.current?.offsetHeight ?? 0}px`);
    });
    if (place.current) observer.observe(place.current);
    return () => {
      observer.disconnect();
      root.removeProperty(SIZE);
    };
  }, []);
  return (
    <div className="desk-messages print:hidden" ref={place}>
      {children}
      <div id={TOASTS_ID} />
    </div>
  );
}
