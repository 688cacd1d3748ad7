import type { ReactNode, ComponentProps } from 'react';
import { classNames } from '~/ui/class-names.ts';
import { Link } from '~/ui/page/link.tsx';
import { Form } from 'react-router';

/**
 * The panel beside a list. As high as the screen without the header, so that opening it at the top of the page does not
 * scroll.
 */
export const Panel = ({
  id,
  labelledBy,
  children,
}: {
  id: string;
  labelledBy: string;
  children: ReactNode;
}) => (
  <section
    aria-labelledby={labelledBy}
    className="flex scroll-mt-2 flex-col wide:sticky wide:top-0 wide:max-h-[calc(100vh-var(--desk-header-size)-var(--desk-messages-size))] wide:scroll-mt-(--desk-header-size) [&_[id]]:scroll-mt-3"
    id={id}
  >
    {children}
  </section>
);

export const PanelHead = ({ children }: { children: ReactNode }) => (
  <header className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 border-b border-line p-5.5 [&_h2]:text-xl [&_h2]:wrap-anywhere">
    {children}
  </header>
);

export const PanelBody = ({ children }: { children: ReactNode }) => (
  <div className="grid grid-cols-1 gap-5.5 p-5.5 wide:min-h-0 wide:overflow-y-auto">{children}</div>
);

export const PanelActions = ({ children }: { children: ReactNode }) => (
  <footer className="grid grid-cols-1 gap-2.5 border-t border-line bg-paper px-5.5 py-4">
    {children}
  </footer>
);

/** A row of links, one of which is current. */
export function Pills({
  label,
  className,
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <nav aria-label={label} className={classNames('flex flex-wrap gap-1.5 py-1.5', className)}>
      {children}
    </nav>
  );
}

export const Pill = (props: Omit<ComponentProps<typeof Link>, 'className'>) => (
  <Link
    {...props}
    className="inline-flex min-h-8 items-center rounded-full border border-line-2 px-3.5 text-fine text-ink no-underline hover:bg-turquoise-pale current:border-ink current:bg-ink current:font-semibold current:text-paper max-wide:min-h-11"
  />
);

/** A section with a heading, to which `id` links. */
export function DeskSection({
  id,
  title,
  className,
  children,
}: {
  id: string;
  title: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section aria-labelledby={id} className={classNames('mt-7 grid grid-cols-1 gap-3', className)}>
      <h2 className="scroll-mt-4" id={id}>
        {title}
      </h2>
      {children}
    </section>
  );
}

/** Buttons and links in one row. */
export const Actions = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-x-4 gap-y-2">{children}</div>
);

/** The column's heading, shown in an entry of a list on narrow screens. */
export const EntryLabel = ({ children }: { children: ReactNode }) => (
  <span className="block text-tiny text-ink-2 wide:hidden">{children}</span>
);

/** A column of sections with forms, in a readable width. */
export const Column = ({ children }: { children: ReactNode }) => (
  <div className="grid max-w-[960px] grid-cols-1 gap-4 [&_h2]:text-label [&_section]:mt-2 [&_section]:grid [&_section]:grid-cols-[minmax(0,640px)] [&_section]:gap-3 [&_section]:border-t [&_section]:border-line [&_section]:pt-6 [&_section_form]:grid [&_section_form]:justify-items-start [&_section_form]:gap-4">
    {children}
  </div>
);

/** A link-like button for one row of a list: `name` and `value` name the row, `intent` the action. */
export function RowAction(props: {
  intent: string;
  name: string;
  value: string | number;
  children: ReactNode;
}) {
  return (
    <Form method="post">
      <input name={props.name} type="hidden" value={props.value} />
      <button className="link-button" name="intent" value={props.intent}>
        {props.children}
      </button>
    </Form>
  );
}

/** Above a page's title: leads to the page that lists this one. */
export function UpLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <p className="-mb-2">
      <Link className="inline-flex min-h-11 items-center" to={to}>
        {children}
      </Link>
    </p>
  );
}
