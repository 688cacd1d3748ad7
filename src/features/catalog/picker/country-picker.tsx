import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
} from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { classNames } from '~/ui/class-names.ts';
import { Icon } from '~/ui/icon.tsx';
import { movedHighlight } from './picker-keys.ts';
import { matchCountries, prepareSearch, unlistedGroup, type CountryOption } from './search.ts';

type CountryPickerProps = {
  name: string;
  options: readonly CountryOption[];
  /** Code of the current choice, empty for none. */
  chosen: string;
  /** What was typed to open it. */
  search: string;
  onChoose: (code: string) => void;
  /** Closed by a key: the caller moves the focus back to the select. */
  onClose: () => void;
  /** The focus has moved elsewhere. */
  onLeave: () => void;
};

/** The open list of a country field: an editable combobox with a listbox, after the WAI-ARIA pattern. */
export function CountryPicker(props: CountryPickerProps) {
  const { name, options, chosen, onChoose, onClose, onLeave } = props;
  const { t } = useTranslation('catalog');
  const [search, setSearch] = useState(props.search);
  const matches = matchCountries(search, options);
  const unlisted = unlistedGroup(search, matches);
  const [moved, setMoved] = useState<number>();
  // Until a key moves it, the highlight is on the current choice, or on the best match of what is typed.
  const start = search === '' ? matches.findIndex(({ id }) => id === chosen) : 0;
  const highlight = Math.min(moved ?? start, matches.length - 1);
  const current = matches[highlight];

  const root = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    input.current?.focus({ preventScroll: true });
    root.current?.scrollIntoView({ block: 'nearest' });
  }, []);

  useEffect(() => prepareSearch(options), [options]);

  function onKeyDown(event: KeyboardEvent) {
    // Keys pressed while an input method composes a word belong to it.
    if (event.nativeEvent.isComposing) return;
    const next = movedHighlight(event.key, highlight, matches.length);
    if (next !== undefined) {
      event.preventDefault();
      setMoved(next);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (current) onChoose(current.id);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      onClose();
    } else if (event.key === 'Tab') {
      // The focus goes back first, so that Tab leads from the select to the next field.
      if (current && search !== '') onChoose(current.id);
      else onClose();
    }
  }

  function onBlur(event: FocusEvent) {
    if (!root.current?.contains(event.relatedTarget)) onLeave();
  }

  const optionId = (id: string) => `${name}-option-${id}`;
  return (
    <div
      className="absolute inset-x-0 top-[calc(100%+6px)] z-20 scroll-mb-4 rounded-[12px] border border-line-2 bg-paper px-2 pt-3 pb-2 text-ink shadow-menu"
      onBlur={onBlur}
      ref={root}
    >
      <label className="block px-1 text-caption text-ink-2" htmlFor={`${name}-search`}>
        {t('countryField.search')}
      </label>
      <div className="relative px-1 [&_.icon]:pointer-events-none [&_.icon]:absolute [&_.icon]:start-4.5 [&_.icon]:bottom-4 [&_.icon]:text-ink-2">
        <Icon name="search" size={18} />
        <input
          aria-activedescendant={current ? optionId(current.id) : undefined}
          aria-autocomplete="list"
          aria-controls={matches.length > 0 ? `${name}-list` : undefined}
          aria-expanded={matches.length > 0}
          // In a field in error the red border belongs to the select, not to the search.
          aria-invalid={false}
          autoCapitalize="none"
          autoComplete="off"
          autoCorrect="off"
          className="control mt-1 ps-10.5 in-[.has-error]:border-edge"
          dir="auto"
          enterKeyHint="done"
          id={`${name}-search`}
          onChange={(event) => {
            setSearch(event.target.value);
            setMoved(undefined);
            if (list.current) list.current.scrollTop = 0;
          }}
          onKeyDown={onKeyDown}
          ref={input}
          role="combobox"
          spellCheck={false}
          type="text"
          value={search}
        />
      </div>
      {matches.length > 0 ? (
        <div
          aria-label={t('countryField.list')}
          className="relative mt-2 max-h-[min(308px,45vh)] overflow-y-auto overscroll-contain"
          id={`${name}-list`}
          // The focus stays in the search while the mouse is on the list or its scroll bar.
          onMouseDown={(event) => event.preventDefault()}
          ref={list}
          role="listbox"
          tabIndex={-1}
        >
          {matches.map(({ id, name: country }, index) => (
            // The focus stays in the combobox, which handles the keys.
            <button
              aria-selected={index === highlight}
              className={classNames(
                'country-option flex min-h-11 w-full items-center gap-3 rounded-field px-3 py-1.5 text-start text-[1rem]/[1.5rem] hover:bg-turquoise-pale aria-selected:bg-turquoise-pale aria-selected:inset-ring-2 aria-selected:inset-ring-turquoise forced-colors:aria-selected:outline-2 forced-colors:aria-selected:-outline-offset-2 forced-colors:aria-selected:outline-[Highlight] [&_.icon]:ms-auto [&_.icon]:text-turquoise',
                id === chosen && 'font-semibold',
              )}
              id={optionId(id)}
              key={id}
              onClick={() => onChoose(id)}
              ref={index === highlight ? keepInView : undefined}
              role="option"
              tabIndex={-1}
              type="button"
            >
              {country}
              {id === chosen ? <Icon name="check" size={18} /> : null}
            </button>
          ))}
        </div>
      ) : null}
      <p
        className={
          matches.length > 0 && !unlisted ? 'sr-only' : 'px-3 py-3.5 text-small text-ink-2'
        }
        role="status"
      >
        {statusText()}
      </p>
    </div>
  );

  function statusText() {
    if (unlisted) return t(`countryField.${unlisted}`);
    if (matches.length === 0) return t('countryField.noMatch');
    return search === '' ? '' : t('countryField.results', { count: matches.length });
  }
}

/** Scrolls the list alone: `scrollIntoView` would move the page as well. */
function keepInView(option: HTMLElement | null) {
  const list = option?.parentElement;
  if (!option || !list) return;
  const top = option.offsetTop;
  const bottom = top + option.offsetHeight;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}
