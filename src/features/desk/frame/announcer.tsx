import { createContext, use, useCallback, useEffect, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { Notice } from '~/ui/notice.tsx';
import { isDocumentShown } from './use-opened-focus.tsx';

const AnnounceContext = createContext<(text: string) => void>(() => undefined);

/**
 * Where screen readers hear what happens on a page of the desk. It stands there from the start: what appears with its text
 * already in it is often not read.
 */
export function Announcer({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState({ text: '', times: 0 });
  const announce = useCallback(
    (text: string) => setSaid(({ times }) => ({ text, times: times + 1 })),
    [],
  );
  return (
    <AnnounceContext value={announce}>
      {children}
      <p className="sr-only" data-testid="announced" role="status">
        {/* Made anew each time, so that the same words are read again. */}
        <span key={said.times}>{said.text}</span>
      </p>
    </AnnounceContext>
  );
}

/** Says a text to screen readers at once. */
export const useAnnounce = (): ((text: string) => void) => use(AnnounceContext);

/** So long a place for a message stands empty before it is filled: by then screen readers listen to it. */
const FILL_MS = 150;

/**
 * What a form has done, where it was done. Screen readers say it once; loading the page's data again does not repeat it. A
 * page that comes as a document has it from the start.
 */
export function DoneMessage({ className, children }: { className?: string; children: string }) {
  const { key } = useLocation();
  const [filledFor, setFilledFor] = useState(() => (isDocumentShown() ? null : key));
  useEffect(() => {
    const timer = setTimeout(() => setFilledFor(key), FILL_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return (
    <div role="status">
      {filledFor === key ? (
        <Notice className={className} tone="green">
          {children}
        </Notice>
      ) : null}
    </div>
  );
}
