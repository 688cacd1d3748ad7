import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { controlProps, Field, type FieldText, type FieldWidth } from '~/ui/fields/field.tsx';
import { Icon } from '~/ui/icon.tsx';
import { choosing, optionOf, optionsOf } from '~/ui/fields/option-markup.ts';
import type { CountryPicker } from './country-picker.tsx';
import { openingText } from './picker-keys.ts';
import type { CountryOption } from './search.ts';
import { useTap } from './use-tap.tsx';

type CountryFieldProps = FieldText & {
  /** Named and sorted for the page's language: `countryOptions`. */
  options: readonly CountryOption[];
  /** Code that is chosen at first. */
  value?: string;
  width?: FieldWidth;
  onChoose?: (code: string) => void;
};

/** The list, its search and all synonyms: fetched when somebody reaches for the field. */
const fetchPicker = async () => (await import('./country-picker.tsx')).CountryPicker;
/** Also from a first touch elsewhere: where the list is there already, iOS shows its keyboard with it. */
const prefetchPicker = () => void fetchPicker().catch(() => undefined);

/**
 * A native select of countries that posts a code under `name`. With scripts it opens a searchable list instead of the
 * browser's; the select stays the control, with its label, its value and its place in the form, so that whatever
 * does not reach our list (assistive technology on a telephone, a failed script) still finds the browser's.
 */
export function CountryField({ options, value = '', width, onChoose, ...text }: CountryFieldProps) {
  const { t } = useTranslation('catalog');
  const select = useRef<HTMLSelectElement>(null);
  /** What the list begins with; undefined while it is closed. */
  const [list, setList] = useState<{ search: string; chosen: string }>();
  useTap(select, toggle);
  useEffect(() => {
    const once = { once: true, passive: true };
    addEventListener('pointerdown', prefetchPicker, once);
    return () => removeEventListener('pointerdown', prefetchPicker);
  }, []);

  const [picker, setPicker] = useState<{ Picker: typeof CountryPicker }>();

  function open(search: string) {
    // What is typed while the list is fetched belongs to its search.
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
      // Forms and pages listen to the select; a value set by script tells nobody by itself.
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
  const first = optionOf('', t(isEmpty ? 'countryField.empty' : 'countryField.choose'));
  // Written anew, the options would forget what was chosen since.
  const [start] = useState(value);
  return (
    <Field {...text} width={width}>
      <div className="country-field relative w-full">
        <span className="select">
          <select
            {...controlProps(text)}
            className="control"
            dangerouslySetInnerHTML={{ __html: choosing(first + optionsOf(options), start) }}
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
