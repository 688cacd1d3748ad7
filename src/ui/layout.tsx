import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** Heading of a page with its lead, 620 px wide. */
export function PageHead({
  title,
  lead,
  wide,
  children,
}: {
  title: ReactNode;
  lead?: ReactNode;
  /** A lead of 720 px, where it holds a moment that should not break. */
  wide?: boolean;
  /** Above the heading, such as a status tag. */
  children?: ReactNode;
}) {
  return (
    <div className={classNames('page-head', wide && 'page-head-wide')}>
      {children}
      <h1 className="heading-page">{title}</h1>
      {lead === undefined ? null : <p className="lead">{lead}</p>}
    </div>
  );
}

/** 1152 px of content and the page's own space above and below. */
export function Page({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={classNames('content page', className)}>{children}</div>;
}

/** One column of 720 px: results, notices, sign-in. */
export function NarrowPage({ children }: { children: ReactNode }) {
  return (
    <div className="content page">
      <div className="narrow">{children}</div>
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
  /** On the review page the order summary says it all. */
  hideTagWhenNarrow?: boolean;
  children: ReactNode;
}) {
  return (
    <div className="content wizard">
      {progress}
      <div className="wizard-columns">
        <div className="wizard-main">{children}</div>
        {tag === undefined ? null : (
          <div className={classNames('wizard-side', hideTagWhenNarrow && 'is-wide-only')}>
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
      <h2 className="heading-form">{title}</h2>
      {hint === undefined ? null : <p className="form-group-hint">{hint}</p>}
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
