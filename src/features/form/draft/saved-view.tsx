import { useTranslation } from '~/ui/texts/texts.tsx';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { FormActions, NarrowPage, PageHead } from '~/ui/layout.tsx';
import { LINK_DAYS } from '../answers/limits.ts';

/** Confirms that the link was sent; `goOn`: where the form continues, null where a link has opened it elsewhere. */
export function SavedView({ goOn }: { goOn: string | null }) {
  const { t } = useTranslation('visa');
  if (goOn === null) return <ContinuedElsewhere />;
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

/** Says how to get a link of one's own; shows nothing of the draft. */
function ContinuedElsewhere() {
  const { t } = useTranslation('visa');
  return (
    <NarrowPage>
      <title>{`${t('later.endedTitle')} · Lale`}</title>
      <PageHead lead={t('later.endedLead')} title={t('later.endedTitle')} />
      <p>{t('later.endedHow')}</p>
      <FormActions>
        <form method="post">
          <Button look="secondary" type="submit">
            {t('later.endedStart')}
          </Button>
        </form>
      </FormActions>
    </NarrowPage>
  );
}
