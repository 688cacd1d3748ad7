import {
  useEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  useEffectEvent,
  type RefObject,
} from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { controlProps, Field, type FieldText, type FieldWidth } from '~/ui/fields/field.tsx';
import { Icon } from '~/ui/icon.tsx';
import { selectOption, optionMarkup, optionsMarkup } from '~/ui/fields/option-markup.ts';
import type { CountryPicker } from './country-picker.tsx';
import { openingText } from './picker-keys.ts';
import type { CountryOption } from './search.ts';
import { flushSync } from 'react-dom';

/** A finger that moves further, in CSS pixels, is scrolling and not tapping. */
const MAX_TAP_MOVE_PX = 10;

/**
 * Calls `onTap` for a tap and prevents the browser's default: phones open a select's native list from the touch itself,
 * which later mouse events cannot stop. Screen readers send no touch events and so still get the native list. The state
 * changes synchronously, because iOS shows its keyboard only for a focus set inside the event.
 */
function useTap(target: RefObject<HTMLElement | null>, onTap: () => void): void {
  const tapped = useEffectEvent(onTap);
  useEffect(() => {
    const element = target.current;
    if (!element) return undefined;
    let start: Touch | undefined;
    const began = (event: TouchEvent) => {
      start = event.touches.length === 1 ? event.touches[0] : undefined;
    };
    const ended = (event: TouchEvent) => {
      const end = event.changedTouches[0];
      if (!start || !end || !event.cancelable) return;
      const distance = Math.hypot(end.clientX - start.clientX, end.clientY - start.clientY);
      if (distance > MAX_TAP_MOVE_PX) return;
      event.preventDefault();
      flushSync(tapped);
    };
    element.addEventListener('touchstart', began, { passive: true });
    element.addEventListener('touchend', ended);
    return () => {
      element.removeEventListener('touchstart', began);
      element.removeEventListener('touchend', ended);
    };
  }, [target]);
}

type CountryFieldProps = FieldText & {
  /** Named and sorted for the page's language: `countryOptions`. */
  options: readonly CountryOption[];
  /** Code chosen at first. */
  value?: string;
  width?: FieldWidth;
  onChoose?: (code: string) => void;
};

/** The list with its search and all synonyms, loaded when the field gets the focus or the pointer. */
const fetchPicker = async () => (await import('./country-picker.tsx')).CountryPicker;
/** Loaded at a first touch elsewhere, too: iOS shows its keyboard only where the list opens at once. */
const prefetchPicker = () => void fetchPicker().catch(() => undefined);

/**
 * A native select of countries that submits a code under `name`. With scripts it opens a searchable list in place of
 * the browser's. The select stays the form control, with its label and value, so that assistive technology on phones
 * and browsers without scripts use the native list.
 */
export function CountryField({ options, value = '', width, onChoose, ...text }: CountryFieldProps) {
  const { t } = useTranslation('catalog');
  const select = useRef<HTMLSelectElement>(null);
  /** The text that the list's search begins with; undefined while closed. */
  const [list, setList] = useState<{ search: string; chosen: string }>();
  useTap(select, toggle);
  useEffect(() => {
    const once = { once: true, passive: true };
    addEventListener('pointerdown', prefetchPicker, once);
    return () => removeEventListener('pointerdown', prefetchPicker);
  }, []);

  const [picker, setPicker] = useState<{ Picker: typeof CountryPicker }>();

  function open(search: string) {
    // Letters typed while the list is loading go into its search.
    setList((now) => ({
      search: (now?.search ?? '') + search,
      chosen: select.current?.value ?? '',
    }));
    if (picker) return;
    fetchPicker().then(
      (Picker) => setPicker({ Picker }),
      () => {
        setList(undefined);
        select.current?.showPicker();
      },
    );
  }

  function close() {
    setList(undefined);
    select.current?.focus();
  }

  function toggle() {
    if (list) close();
    else if (options.length > 0) open('');
  }

  function choose(code: string) {
    const control = select.current;
    if (control && control.value !== code) {
      control.value = code;
      // Forms listen to the select; a value set by script fires no events.
      control.dispatchEvent(new Event('input', { bubbles: true }));
      control.dispatchEvent(new Event('change', { bubbles: true }));
    }
    close();
  }

  function onMouseDown(event: MouseEvent) {
    if (event.button !== 0) return;
    event.preventDefault();
    toggle();
  }

  function onKeyDown(event: KeyboardEvent) {
    const typed = openingText(event, list?.search);
    if (typed === undefined) return;
    event.preventDefault();
    open(typed);
  }

  const isEmpty = options.length === 0;
  const first = optionMarkup('', t(isEmpty ? 'countryField.empty' : 'countryField.choose'));
  // Fixed at mount: rendering another `defaultValue` would reset the choice.
  const [start] = useState(value);
  return (
    <Field {...text} width={width}>
      <div className="country-field relative w-full">
        <span className="select">
          <select
            {...controlProps(text)}
            className="control"
            dangerouslySetInnerHTML={{
              __html: selectOption(first + optionsMarkup(options), start),
            }}
            defaultValue={value}
            onChange={(event) => onChoose?.(event.target.value)}
            onFocus={prefetchPicker}
            onKeyDown={isEmpty ? undefined : onKeyDown}
            onMouseDown={isEmpty ? undefined : onMouseDown}
            onPointerEnter={prefetchPicker}
            ref={select}
          />
          <Icon name="chevron" size={18} />
        </span>
        {list && picker ? (
          <picker.Picker
            {...list}
            name={text.name}
            onChoose={choose}
            onClose={close}
            onLeave={() => setList(undefined)}
            options={options}
          />
        ) : null}
      </div>
    </Field>
  );
}
