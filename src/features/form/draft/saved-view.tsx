import { useTranslation } from '~/ui/texts/texts.tsx';
import { ButtonLink } from '~/ui/button.tsx';
import { FormActions, NarrowPage, PageHead } from '~/ui/layout.tsx';
import { LINK_DAYS } from './draft-content.ts';

/** Confirms that the link was sent; `goOn`: where the form continues. */
export function SavedView({ goOn }: { goOn: string }) {
  const { t } = useTranslation('visa');
  return (
    <NarrowPage>
      <title>{`${t('later.sentTitle')} · Lale`}</title>
      <PageHead lead={t('later.sentPlain')} title={t('later.sentTitle')} />
      <p>{t('later.sentOnce', { count: LINK_DAYS })}</p>
      <FormActions>
        <ButtonLink arrow to={goOn}>
          {t('later.goOn')}
        </ButtonLink>
      </FormActions>
    </NarrowPage>
  );
}
