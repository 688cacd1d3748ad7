import {
  createContext,
  use,
  useCallback,
  useEffect,
  useState,
  type ReactNode,
  type MouseEvent,
} from 'react';
import { useLocation } from 'react-router';
import { Notice } from '~/ui/notice.tsx';
import { isDocumentShown } from './opening.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { ApplicationStatus } from '~/features/application/status-machine.ts';

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

/**
 * Why the forms of an application must not be sent although somebody is filling them in: a colleague has claimed it, or
 * it has changed since. The server refuses both in any case.
 */
export type FormBlock =
  | { why: 'taken'; name: string }
  | { why: 'changed'; status: ApplicationStatus };

/** Says beside a form why it must not be sent; what was typed stays. */
export function BlockNotice({ block }: { block: FormBlock | null }) {
  const { t } = useTranslation('desk');
  if (!block) return null;
  const title =
    block.why === 'taken'
      ? t('live.block.taken', { name: block.name })
      : t('live.block.changed', { status: t(`status.${block.status}`) });
  return (
    <Notice title={title} tone="amber">
      <p data-testid="held-back">{t('live.block.kept')}</p>
    </Notice>
  );
}

/** Attributes for the buttons of such a form: they keep the focus and do nothing. */
export const blockedProps = (block: FormBlock | null) =>
  block && {
    'aria-disabled': true,
    onClick: (event: MouseEvent) => event.preventDefault(),
  };

/**
 * A key for a form, which empties it (React makes it anew) once what it sent was done, and not when the page answers another
 * form. `answer`: the page's last one; `isDone`: whether it says that this form's work was done.
 */
export function useResetKey(answer: object | undefined, isDone: boolean): number {
  const [last, setLast] = useState<object>();
  const [key, setKey] = useState(0);
  if (answer !== last) {
    setLast(answer);
    if (isDone) setKey(key + 1);
  }
  return key;
}
