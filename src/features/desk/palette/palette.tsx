import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { Role } from '~/features/staff/roles.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useCommands } from './use-commands.tsx';

const LIST = 'palette-list';

/**
 * A field and the list of what can be done: a combobox as the ARIA practices describe it. The focus stays in the field;
 * arrows choose, Enter does it, Escape closes.
 */
export function Palette({
  role,
  outbox,
  onClose,
}: {
  role: Role;
  outbox: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation('palette');
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const commands = useCommands(typed, { role, outbox });
  const at = Math.min(chosen, commands.length - 1);
  useEffect(() => dialog.current?.showModal(), []);
  const chosenId = commands[at]?.id;
  useEffect(() => {
    if (chosenId === undefined) return;
    document.getElementById(`palette-${chosenId}`)?.scrollIntoView({ block: 'nearest' });
  }, [chosenId]);

  function run(index: number): void {
    const command = commands[index];
    if (!command) return;
    // Closed first, so that the focus can go where the command leads.
    dialog.current?.close();
    command.run();
  }
  function press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen((at + step + commands.length) % Math.max(commands.length, 1));
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      run(at);
    }
  }

  return (
    <dialog
      aria-label={t('title')}
      className="dialog mt-[10vh] max-h-[80vh] p-3 wide:p-3"
      onClose={onClose}
      ref={dialog}
      // A press outside closes it, where the browser knows that.
      {...{ closedby: 'any' }}
    >
      <label className="sr-only" htmlFor="palette">
        {t('label')}
      </label>
      <input
        aria-activedescendant={chosenId === undefined ? undefined : `palette-${chosenId}`}
        aria-autocomplete="list"
        aria-controls={LIST}
        aria-expanded="true"
        autoComplete="off"
        autoFocus
        className="control m-0"
        dir={typed === '' ? undefined : 'auto'}
        id="palette"
        maxLength={200}
        onChange={(event) => {
          setTyped(event.target.value);
          setChosen(0);
        }}
        onKeyDown={press}
        placeholder={t('placeholder')}
        role="combobox"
        spellCheck={false}
        type="text"
        value={typed}
      />
      <div
        aria-label={t('title')}
        className="mt-2 grid max-h-[56vh] grid-cols-1 overflow-y-auto"
        id={LIST}
        role="listbox"
        tabIndex={-1}
      >
        {commands.map(({ id, name, group }, index) => (
          // As in every combobox the focus stays in the field, which handles the keys.
          <button
            aria-selected={index === at}
            className="flex min-h-11 w-full items-center justify-between gap-4 rounded-field px-3 text-start hover:bg-turquoise-pale aria-selected:bg-turquoise-pale aria-selected:font-semibold"
            id={`palette-${id}`}
            key={id}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => run(index)}
            role="option"
            tabIndex={-1}
            type="button"
          >
            <bdi className="wrap-anywhere">{name}</bdi>
            <span className="text-end text-fine font-normal text-ink-2">{group}</span>
          </button>
        ))}
      </div>
      <p className="sr-only" role="status">
        {t('found', { count: commands.length })}
      </p>
    </dialog>
  );
}
