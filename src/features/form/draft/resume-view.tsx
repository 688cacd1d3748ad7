import { useTranslation } from '~/ui/texts/texts.tsx';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { FormActions, NarrowPage, PageHead } from '~/ui/layout.tsx';
import { Notice } from '~/ui/notice.tsx';

/** Opens a draft by an emailed link; `start` begins a new form where the link has expired. */
export function ResumeView({
  page,
  answer,
  start,
}: {
  page: { isOpen: boolean };
  answer: { tooMany: boolean } | undefined;
  start: string;
}) {
  const { t } = useTranslation('visa');
  const isOpen = page.isOpen && answer?.tooMany !== false;
  const title = t(isOpen ? 'resume.title' : 'resume.overTitle');
  return (
    <NarrowPage>
      <title>{`${title} · Lale`}</title>
      <PageHead lead={t(isOpen ? 'resume.lead' : 'resume.overLead')} title={title} />
      {answer?.tooMany ? <Notice tone="red">{t('resume.tooMany')}</Notice> : null}
      <FormActions>
        {isOpen ? (
          <form method="post">
            <Button arrow type="submit">
              {t('resume.open')}
            </Button>
          </form>
        ) : (
          <ButtonLink arrow to={start}>
            {t('resume.start')}
          </ButtonLink>
        )}
      </FormActions>
    </NarrowPage>
  );
}
