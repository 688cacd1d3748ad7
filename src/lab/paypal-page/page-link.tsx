import { useTranslation } from '~/ui/texts/texts.tsx';
import { useHref } from '~/ui/page/page-context.tsx';
import { ButtonAnchor } from '~/ui/button.tsx';
import { labPageAt } from './variants.ts';

/** To another page of the lab: a document of its own. */
export function PageLink({ path, look = 'plain' }: { path: string; look?: 'plain' | 'primary' }) {
  const { t } = useTranslation('lab');
  const href = useHref(path);
  const page = labPageAt(path);
  return page ? (
    <ButtonAnchor href={href} look={look}>
      {t(`page.${page.key}.title`)}
    </ButtonAnchor>
  ) : null;
}
