import { createContext, useContext } from 'react';
import { Trans, useTranslation } from '~/ui/texts/texts.tsx';

/** The id of this response, for pages about a failure; empty where there is none. */
const ReferenceContext = createContext('');

export const ReferenceProvider = ReferenceContext.Provider;

export const useReference = (): string => useContext(ReferenceContext);

/** The reference in the server's page, so that hydration uses the same. */
export const referenceOnPage = (page: Document): string =>
  page.querySelector('[data-reference]')?.textContent ?? '';

/** The reference to give when writing to us about a failure; renders nothing without one. */
export function FailureReference({ className }: { className?: string }) {
  const { t } = useTranslation('site');
  const reference = useReference();
  if (!reference) return null;
  return (
    <p className={className}>
      <Trans
        components={{ code: <code className="mono" data-reference dir="ltr" /> }}
        i18nKey="site:failure.reference"
        t={t}
        values={{ reference }}
      />
    </p>
  );
}
