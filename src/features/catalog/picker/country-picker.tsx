import { useLayoutEffect, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Icon } from '~/ui/icon.tsx';
import { movedHighlight } from './picker-keys.ts';
import { matchCountries, type CountryOption } from './search.ts';

type CountryPickerProps = {
  name: string;
  options: readonly CountryOption[];
  /** Code of the present choice, empty for none. */
  chosen: string;
  /** What was typed to open it. */
  search: string;
  onChoose: (code: string) => void;
  /** Closed by a key: the focus goes back to the select. */
  onClose: () => void;
  /** The focus went elsewhere by itself. */
  onLeave: () => void;
};

/** The list that hangs from an open country field: an editable combobox with a listbox, after WAI-ARIA's pattern. */
export function CountryPicker(props: CountryPickerProps) {
  const { name, options, chosen, onChoose, onClose, onLeave } = props;
  const { t } = useTranslation('catalog');
  const [search, setSearch] = useState(props.search);
  const matches = matchCountries(search, options);
  const [moved, setMoved] = useState<number>();
  // Until a key moves it, the highlight is on the present choice, or on the best match of what is typed.
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

  function onKeyDown(event: KeyboardEvent) {
    // While a word is being composed, its keys are not ours.
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
      // The focus goes back first, so that the browser's Tab leads from the select to the next field.
      if (current && search !== '') onChoose(current.id);
      else onClose();
    }
  }

  function onBlur(event: FocusEvent) {
    if (!root.current?.contains(event.relatedTarget)) onLeave();
  }

  const optionId = (id: string) => `${name}-option-${id}`;
  return (
    <div className="country-picker" onBlur={onBlur} ref={root}>
      <label className="country-picker-label" htmlFor={`${name}-search`}>
        {t('countryField.search')}
      </label>
      <div className="country-picker-search">
        <Icon name="search" size={18} />
        <input
          aria-activedescendant={current ? optionId(current.id) : undefined}
          aria-autocomplete="list"
          aria-controls={matches.length > 0 ? `${name}-list` : undefined}
          aria-expanded={matches.length > 0}
          autoCapitalize="none"
          autoComplete="off"
          autoCorrect="off"
          className="control"
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
          className="country-picker-list"
          id={`${name}-list`}
          // The focus stays in the search while the mouse is on the list or its scroll bar.
          onMouseDown={(event) => event.preventDefault()}
          ref={list}
          role="listbox"
          tabIndex={-1}
        >
          {matches.map(({ id, name: country }, index) => (
            // The focus never enters the list: the combobox hears the keys.
            <button
              aria-selected={index === highlight}
              className={id === chosen ? 'country-option is-chosen' : 'country-option'}
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
      <p className={matches.length > 0 ? 'visually-hidden' : 'country-picker-none'} role="status">
        {statusText()}
      </p>
    </div>
  );

  function statusText() {
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
