import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '~/ui/button.tsx';
import { NarrowPage, PageHead } from '~/ui/layout.tsx';

/** Specification, section 9. */
const REDIRECT_MS = 1000;

/** A form of hidden fields for the payment partner: posted by itself after a second, or at once by its button. */
export function Handover({ url, fields }: { url: string; fields: Record<string, string> }) {
  const { t } = useTranslation('payment');
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => form.current?.submit(), REDIRECT_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <NarrowPage>
      <PageHead lead={t('handover.text')} title={t('handover.title')} />
      <form action={url} method="post" ref={form}>
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} name={name} type="hidden" value={value} />
        ))}
        <Button>{t('handover.button')}</Button>
      </form>
    </NarrowPage>
  );
}
