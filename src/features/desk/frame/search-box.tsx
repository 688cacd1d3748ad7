import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from 'react-router';
import { Icon } from '~/ui/icon.tsx';
import { areKeysOn, isDeskKey } from './keys.ts';

/** The search over everything, on every page of the desk. `tab`: which kind of application is shown first. */
export function SearchBox({ text, tab }: { text: string; tab: string }) {
  const { t } = useTranslation('desk');
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== '/' || !isDeskKey(event) || !areKeysOn()) return;
      event.preventDefault();
      box.current?.focus();
      // What is typed next is another search.
      box.current?.select();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  useLayoutEffect(() => {
    // Whoever types the next search while the list of the last one comes keeps what is typed.
    if (box.current && box.current !== document.activeElement) box.current.value = text;
  }, [text]);
  return (
    <search>
      <Form
        action="/admin/search"
        className="relative [&>.icon]:pointer-events-none [&>.icon]:absolute [&>.icon]:start-[11px] [&>.icon]:top-[9px] [&>.icon]:text-ink-2 max-wide:[&>.icon]:top-[13px]"
        method="post"
        // The desk's keys do nothing while a field has the focus.
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
