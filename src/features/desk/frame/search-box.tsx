import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from 'react-router';
import { Icon } from '~/ui/icon.tsx';
import { areKeysOn, isDeskKey } from './keys.ts';

/** The search on every page of the desk. `tab`: the kind of application shown first. */
export function SearchBox({ text, tab }: { text: string; tab: string }) {
  const { t } = useTranslation('desk');
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== '/' || !isDeskKey(event) || !areKeysOn()) return;
      event.preventDefault();
      box.current?.focus();
      // Selects the old text, so that typing replaces it.
      box.current?.select();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  useLayoutEffect(() => {
    // Keeps what is being typed while the list of the last search loads.
    if (box.current && box.current !== document.activeElement) box.current.value = text;
  }, [text]);
  return (
    <search>
      <Form
        action="/admin/search"
        className="relative [&>.icon]:pointer-events-none [&>.icon]:absolute [&>.icon]:start-[11px] [&>.icon]:top-[9px] [&>.icon]:text-ink-2 max-wide:[&>.icon]:top-[13px]"
        method="post"
        // Takes the focus away, because shortcuts do not work in a field.
        onSubmit={() => box.current?.blur()}
      >
        <Icon name="search" size={18} />
        <label className="sr-only" htmlFor="search">
          {t('search.label')}
        </label>
        <input name="tab" type="hidden" value={tab} />
        <input
          autoComplete="off"
          className="control m-0 ps-9 pe-[34px]"
          defaultValue={text}
          id="search"
          maxLength={200}
          name="search"
          placeholder={t('search.placeholder')}
          ref={box}
          type="search"
        />
        <kbd
          aria-hidden="true"
          className="pointer-events-none absolute end-2 top-2 max-wide:hidden"
        >
          /
        </kbd>
        <button className="sr-only">{t('search.submit')}</button>
      </Form>
    </search>
  );
}
