import { useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from '~/ui/page/link.tsx';
import { termsPath } from './cover-view.ts';

/** Opens one version of the insurer's terms beside what the traveller is doing. */
export function TermsLink({ version }: { version: number }) {
  const { t } = useTranslation('insurance');
  return (
    <Link className="inline-flex min-h-11 items-center" target="_blank" to={termsPath(version)}>
      {t('terms.link')}
    </Link>
  );
}
