import { useEffect, useEffectEvent, useState } from 'react';
import { useHasScripts } from '~/ui/scripts-input.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { typedMention, type Person, type TypedMention } from '../application/note.ts';

type Open = TypedMention<Person> & { at: number };

const STEPS: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
/** These move the caret and type nothing. */
const MOVES = ['ArrowLeft', 'ArrowRight', 'Home', 'End'];

/**
 * Completes a colleague's name after an `@` in a note: as it is typed, or on the press of a button, which types the `@`.
 * The focus stays in the text, as in every combobox. Without scripts the name is typed, which the service reads alike.
 * `into`: the id of the text's control.
 */
export function MentionList({ into, people }: { into: string; people: readonly Person[] }) {
  const { t } = useTranslation('for-you');
  const hasScripts = useHasScripts();
  const [open, setOpen] = useState<Open | null>(null);
  const list = `mention-${into}`;

  const look = useEffectEvent((area: HTMLTextAreaElement) => {
    const found =
      area.selectionStart === area.selectionEnd
        ? typedMention(area.value, area.selectionEnd, people)
        : null;
    setOpen(found && { ...found, at: 0 });
  });
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!open || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const step = STEPS[event.key];
    const count = open.people.length;
    if (step !== undefined) setOpen({ ...open, at: (open.at + step + count) % count });
    else if (event.key === 'Escape') setOpen(null);
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) complete(open.at);
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const area = areaOf(into);
    if (!area) return undefined;
    const looked = () => look(area);
    const pressed = (event: KeyboardEvent) => press(event);
    const moved = ({ key }: KeyboardEvent) => (MOVES.includes(key) ? look(area) : undefined);
    const left = () => setOpen(null);
    area.setAttribute('aria-autocomplete', 'list');
    area.addEventListener('input', looked);
    area.addEventListener('click', looked);
    area.addEventListener('keyup', moved);
    area.addEventListener('keydown', pressed);
    area.addEventListener('blur', left);
    return () => {
      area.removeEventListener('input', looked);
      area.removeEventListener('click', looked);
      area.removeEventListener('keyup', moved);
      area.removeEventListener('keydown', pressed);
      area.removeEventListener('blur', left);
    };
  }, [into]);
  // The text is drawn by a field that knows nothing of mentions.
  useEffect(() => {
    const area = areaOf(into);
    if (!area || !open) return undefined;
    area.setAttribute('aria-controls', list);
    area.setAttribute('aria-activedescendant', `${list}-${open.at}`);
    return () => {
      area.removeAttribute('aria-controls');
      area.removeAttribute('aria-activedescendant');
    };
  }, [into, list, open]);

  function complete(at: number) {
    const name = open?.people[at]?.name;
    const area = areaOf(into);
    if (!area || !open || name === undefined) return;
    type(area, `@${name} `, open.from);
  }

  function begin() {
    const area = areaOf(into);
    if (!area) return;
    area.focus();
    const { selectionStart, value } = area;
    // Apart from the word before it.
    const space = /\S$/.test(value.slice(0, selectionStart)) ? ' ' : '';
    type(area, `${space}@`, selectionStart);
  }

  if (!hasScripts || people.length === 0) return null;
  return (
    <div className="relative">
      <button className="link-button" onClick={begin} type="button">
        {t('mention.title')}
      </button>
      {open ? (
        <div
          aria-label={t('mention.title')}
          className="absolute inset-x-0 top-0 z-20 max-h-60 scroll-my-2 overflow-y-auto rounded-[12px] border border-line-2 bg-paper p-2 shadow-menu"
          id={list}
          // The focus stays in the text.
          onMouseDown={(event) => event.preventDefault()}
          ref={keepInView}
          role="listbox"
          tabIndex={-1}
        >
          {open.people.map(({ id, name }, index) => (
            <button
              aria-selected={index === open.at}
              className="menu-row aria-selected:bg-turquoise-pale aria-selected:font-semibold"
              id={`${list}-${index}`}
              key={id}
              onClick={() => complete(index)}
              ref={index === open.at ? keepInView : undefined}
              role="option"
              tabIndex={-1}
              type="button"
            >
              <bdi>{name}</bdi>
            </button>
          ))}
        </div>
      ) : null}
      <p className="sr-only" role="status">
        {open ? t('mention.choose') : null}
      </p>
    </div>
  );
}

function areaOf(id: string): HTMLTextAreaElement | null {
  const area = document.getElementById(id);
  return area instanceof HTMLTextAreaElement ? area : null;
}

const keepInView = (shown: HTMLElement | null) => shown?.scrollIntoView({ block: 'nearest' });

/** Writes a text up to the caret, as typing does. */
function type(area: HTMLTextAreaElement, text: string, from: number): void {
  area.setRangeText(text, from, area.selectionEnd, 'end');
  area.dispatchEvent(new Event('input', { bubbles: true }));
}
