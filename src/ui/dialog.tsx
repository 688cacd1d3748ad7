import { useEffect, useRef, type ReactNode } from 'react';

/**
 * A native dialog. The server renders it open, as a card in the page, so that it can be read without scripts; with
 * scripts it is shown as a modal. `actions` hold its buttons: links, or `<DialogClose>`.
 */
export function Dialog({
  id,
  title,
  actions,
  onClose,
  children,
}: {
  id: string;
  title: ReactNode;
  actions: ReactNode;
  onClose?: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (!element || element.matches(':modal')) return;
    // Not `close()`, which would fire a close event.
    element.removeAttribute('open');
    element.showModal();
  }, []);
  return (
    <dialog
      aria-labelledby={`${id}-title`}
      className="dialog"
      id={id}
      onClose={onClose}
      open
      ref={dialog}
    >
      <h2 className="text-h2-card" id={`${id}-title`}>
        {title}
      </h2>
      <div className="mt-2">{children}</div>
      <div className="mt-6 grid gap-3.5 wide:flex wide:flex-wrap max-wide:[&_.button]:w-full">
        {actions}
      </div>
    </dialog>
  );
}

/** A form round the button closes the dialog without scripts, too. */
export function DialogClose({ children }: { children: ReactNode }) {
  return <form method="dialog">{children}</form>;
}
