import { Trans, useTranslation } from '~/ui/texts/texts.tsx';
import { useReference } from './reference.tsx';

/** What to name when writing to us about a failure; nothing where there is no failure to name. */
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
