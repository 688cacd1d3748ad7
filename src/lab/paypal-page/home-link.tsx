import { useTranslation } from '~/ui/texts/texts.tsx';
import { useHref } from '~/ui/page/page-context.tsx';
import { ButtonAnchor } from '~/ui/button.tsx';

export function HomeLink() {
  const { t } = useTranslation('lab');
  const href = useHref('/');
  return (
    <div className="form-actions">
      <ButtonAnchor href={href} look="plain">
        {t('home')}
      </ButtonAnchor>
    </div>
  );
}
