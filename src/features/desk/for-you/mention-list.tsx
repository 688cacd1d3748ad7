import { useSyncExternalStore } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { MenuButton, MenuPanel } from '~/ui/menu.tsx';
import type { Person } from './mentions.ts';

const never = () => () => undefined;

/**
 * The colleagues, to be mentioned in a note: a press writes `@` and the name into it. Without scripts it is typed, which
 * the service reads alike.
 */
export function MentionList({ into, people }: { into: string; people: readonly Person[] }) {
  const { t } = useTranslation('for-you');
  const hasScripts = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  if (!hasScripts || people.length === 0) return null;
  const id = `mention-${into}`;
  return (
    <div>
      <MenuButton button={t('mention.title')} buttonClass="link-button" id={id} />
      <MenuPanel className="max-h-80 overflow-y-auto" id={id}>
        <ul>
          {people.map(({ id: personId, name }) => (
            <li key={personId}>
              <button
                aria-label={t('mention.insert', { name })}
                className="menu-row"
                onClick={() => {
                  document.getElementById(id)?.hidePopover();
                  insert(into, `@${name} `);
                }}
                type="button"
              >
                <bdi>{name}</bdi>
              </button>
            </li>
          ))}
        </ul>
      </MenuPanel>
    </div>
  );
}

/** Writes where the caret is, apart from the word before it. */
function insert(into: string, text: string): void {
  const area = document.getElementById(into);
  if (!(area instanceof HTMLTextAreaElement)) return;
  const { selectionStart: start, selectionEnd: end, value } = area;
  const space = /\S$/.test(value.slice(0, start)) ? ' ' : '';
  area.focus();
  area.setRangeText(`${space}${text}`, start, end, 'end');
  area.dispatchEvent(new Event('input', { bubbles: true }));
}
