import { Trans, useTranslation } from '~/ui/texts/texts.tsx';
import { useReference } from './reference.tsx';

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
