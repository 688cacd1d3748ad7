import { useEffect, useRef, useState, type MouseEvent, type ReactNode } from 'react';
import { useTranslation } from '../texts/texts.tsx';
import { usePage } from '../page/page-context.tsx';

export type FieldProblem = {
  /** Name of the field; its first control carries it as `id`. Null where no field is at fault: its line is no link. */
  name: string | null;
  message: ReactNode;
};

/**
 * The head of every page with a form that may be refused: its title, which then begins with "Error:", and above the `h1`
 * the summary of what is wrong. `title`: the whole title of the document. There is no summary without the title.
 */
export function FormHead({
  title,
  problems,
  heading,
  id,
}: {
  title: string;
  problems: readonly FieldProblem[];
  /** Of the summary, where it says more than how many answers are wrong. */
  heading?: string;
  /** Where the form's own address names the part of the page that it is in: a browser then focuses that, and nothing else. */
  id?: string;
}) {
  const { t } = useTranslation('ui');
  const prefix = problems.length > 0 ? `${t('errorSummary.titlePrefix')} ` : '';
  return (
    <>
      <title>{`${prefix}${title}`}</title>
      <ErrorSummary heading={heading} id={id} problems={problems} />
    </>
  );
}

/**
 * Each line leads to its field. It takes the focus when it appears, and after each submission that leaves something wrong,
 * the same or not; not when a line disappears because its field was corrected.
 *
 * A screen reader says all of it once for each submission: the heading as the name of what got the focus, the lines as an
 * alert. Lines that change while answers are corrected are not said: that would interrupt the typing.
 */
function ErrorSummary({
  problems,
  heading,
  id,
}: {
  problems: readonly FieldProblem[];
  heading: string | undefined;
  id: string | undefined;
}) {
  const { t } = useTranslation('ui');
  const box = useRef<HTMLDivElement>(null);
  const { sending } = usePage();
  const isAnswered = sending === null;
  const isEmpty = problems.length === 0;
  useEffect(() => {
    if (!isAnswered || isEmpty) return;
    box.current?.scrollIntoView({ block: 'start' });
    box.current?.focus({ preventScroll: true });
  }, [isAnswered, isEmpty]);
  const lines = problems
    .map(({ name, message }) => [name, typeof message === 'string' ? message : ''])
    .join();
  /** The lines as of the last submission. */
  const [told, setTold] = useState({ isAnswered, lines, turn: 0 });
  if (told.isAnswered !== isAnswered) {
    setTold(isAnswered ? { isAnswered, lines, turn: told.turn + 1 } : { ...told, isAnswered });
  }
  if (isEmpty) return null;
  const count = problems.length;
  const isPlain = problems.some(({ name }) => name === null);
  const counted = count === 2 ? t('errorSummary.headingTwo') : t('errorSummary.heading', { count });
  return (
    <div
      aria-labelledby="error-summary-title"
      // For browsers without scripts; with them the effect does it.
      autoFocus
      className="error-summary mb-10 rounded-card border-2 border-tulip bg-paper px-5 pt-4.5 pb-5 wide:px-6.5 wide:pt-5.5 wide:pb-6.5 [.page>&]:max-w-184"
      id={id}
      ref={box}
      role="group"
      tabIndex={-1}
    >
      <h2 className="error-summary-title" id="error-summary-title">
        {heading ?? (isPlain ? t('errorSummary.headingPlain') : counted)}
      </h2>
      <div aria-live={lines === told.lines ? undefined : 'off'} key={told.turn} role="alert">
        <ul className="mt-3.25 grid gap-1.5">
          {problems.map(({ name, message }) => (
            <li key={name}>
              {name === null ? (
                message
              ) : (
                <a
                  className="font-semibold text-error"
                  href={`#${name}`}
                  onClick={(event) => leadToField(event, name)}
                >
                  {message}
                </a>
              )}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** Without a new address: the answer to a form belongs to the address that it was sent to, and would be dropped. */
function leadToField(event: MouseEvent, id: string): void {
  const field = document.getElementById(id);
  if (!field) return;
  event.preventDefault();
  const around = field.closest('details');
  if (around) around.open = true;
  field.scrollIntoView({ block: 'center' });
  field.focus({ preventScroll: true });
}
