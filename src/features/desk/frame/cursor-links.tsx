import { useTranslation } from '~/ui/texts/texts.tsx';
import { useNavigation } from 'react-router';
import { Link } from '~/ui/page/link.tsx';

/** Styles of the links, at the end of the line. */
export const PAGE_LINKS =
  'ms-auto flex min-h-9 flex-wrap items-center gap-4 py-2 max-wide:min-h-11 *:inline-flex *:min-h-11 *:items-center';

/** Links to the neighbouring pages of a list sorted newest first. */
export function CursorLinks({
  page: { newer, older },
  linkTo,
}: {
  page: { newer: string | null; older: string | null };
  linkTo: (place: Record<string, string>) => string;
}) {
  const { t } = useTranslation('books');
  if (newer === null && older === null) return null;
  return (
    <nav aria-label={t('pages.label')} className={PAGE_LINKS}>
      {newer === null ? null : (
        <>
          <Link to={linkTo({})}>{t('pages.newest')}</Link>
          <Link to={linkTo({ newer })}>{t('pages.newer')}</Link>
        </>
      )}
      {older === null ? null : <Link to={linkTo({ older })}>{t('pages.older')}</Link>}
    </nav>
  );
}

/** Says that the list is loading, while the old one stays. */
export function ListBusy() {
  const { t } = useTranslation('books');
  const { state } = useNavigation();
  return (
    <p className={state === 'loading' ? 'text-ink-2' : 'sr-only'} role="status">
      {state === 'loading' ? t('loading') : ''}
    </p>
  );
}
