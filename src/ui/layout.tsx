import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** Heading of a page with its lead, 620 px wide. */
export function PageHead({
  title,
  lead,
  wide,
  isTight,
  children,
}: {
  title: ReactNode;
  lead?: ReactNode;
  /** Above what has to fit on a phone. */
  isTight?: boolean;
  /** A lead of 720 px, where it holds a moment that should not break. */
  wide?: boolean;
  /** Above the heading, such as a status tag. */
  children?: ReactNode;
}) {
  return (
    <div
      className={classNames(
        'page-head grid grid-cols-1 justify-items-start gap-3 wide:in-[.wizard]:mb-9 [&>.status-tag]:mb-2',
        isTight ? 'mb-2' : 'mb-5',
      )}
    >
      {children}
      {/* One long word ("Standardschaltfläche") is wider than a page of 320 px: it breaks, by syllables where the browser can. */}
      <h1 className="max-w-full hyphens-auto [hyphenate-limit-chars:14_6_6] print:text-[24pt] print:leading-[1.2]">
        {title}
      </h1>
      {lead === undefined ? null : (
        <p className={classNames('lead', wide && 'max-w-180')}>{lead}</p>
      )}
    </div>
  );
}

/** 1152 px of content and the page's own space above and below. */
export function Page({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={classNames('content page pt-14 pb-28', className)}>{children}</div>;
}

/** One column of 720 px: results, notices, sign-in. */
export function NarrowPage({ children }: { children: ReactNode }) {
  return (
    <div className="content page pt-14 pb-28">
      <div className="max-w-180">{children}</div>
    </div>
  );
}

/** Progress above, the form at the start, the tag (352 px, sticky) at the end; below the form at 390. */
export function WizardLayout({
  progress,
  tag,
  hideTagWhenNarrow,
  children,
}: {
  progress: ReactNode;
  tag?: ReactNode;
  /** For the review page, whose order summary says the same. */
  hideTagWhenNarrow?: boolean;
  children: ReactNode;
}) {
  return (
    <div className="content wizard pt-5 pb-18 wide:pt-7 wide:pb-28">
      {progress}
      <div className="mt-5 grid grid-cols-1 gap-14 wide:mt-10 wide:grid-cols-[minmax(0,1fr)_352px] wide:gap-[clamp(32px,5vw,64px)] print:block">
        <div>{children}</div>
        {tag === undefined ? null : (
          <div
            className={classNames(
              'wide:sticky wide:top-20 wide:self-start wide:pt-1.25',
              hideTagWhenNarrow && 'max-wide:hidden',
            )}
          >
            {tag}
          </div>
        )}
      </div>
    </div>
  );
}

/** A group of fields under a rule and a heading. */
export function FormGroup({
  title,
  hint,
  children,
}: {
  title: ReactNode;
  hint?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="form-group">
      <h2 className="text-h2-form">{title}</h2>
      {hint === undefined ? null : <p className="mt-1.75 text-hint text-ink-2">{hint}</p>}
      <div className="form-fields">{children}</div>
    </section>
  );
}

/** Fields below each other, 24 apart. */
export function FormFields({ children }: { children: ReactNode }) {
  return <div className="form-fields">{children}</div>;
}

/** Two fields side by side from 900 px on. */
export function FieldRow({ children }: { children: ReactNode }) {
  return <div className="field-row">{children}</div>;
}

/** Buttons of a form, the primary one first. */
export function FormActions({ children }: { children: ReactNode }) {
  return <div className="form-actions">{children}</div>;
}
