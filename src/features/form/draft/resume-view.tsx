import { colonIn } from '~/base/languages.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { FormActions, NarrowPage, PageHead } from '~/ui/layout.tsx';
import { Answers } from '~/ui/answers.tsx';
import { Notice } from '~/ui/notice.tsx';
import type { BegunAnswers } from './resume.server.ts';

/** Opens a draft by an emailed link; `start` begins a new form where the link has expired. */
export function ResumeView({
  page,
  answer,
  start,
}: {
  page: { begun: BegunAnswers | null };
  answer: { tooMany: boolean } | undefined;
  start: string;
}) {
  const { t } = useTranslation('visa');
  const { begun } = page;
  const isOpen = begun !== null && answer?.tooMany !== false;
  const colon = colonIn(useLanguage());
  const title = t(isOpen ? 'resume.title' : 'resume.overTitle');
  return (
    <NarrowPage>
      <title>{`${title} · Lale`}</title>
      <PageHead lead={t(isOpen ? 'resume.lead' : 'resume.overLead')} title={title} />
      {answer?.tooMany ? <Notice tone="red">{t('resume.tooMany')}</Notice> : null}
      {isOpen && begun.facts.length > 0 ? (
        <Answers
          answers={begun.facts.map(({ term, value }) => ({ term, value: <bdi>{value}</bdi> }))}
          title={t('resume.begun')}
        />
      ) : null}
      {isOpen && begun.others.length > 0 ? (
        <p className="mt-4 text-small text-ink-2">
          {t('resume.others')}
          {colon} {begun.others.join(' · ')}
        </p>
      ) : null}
      {isOpen ? <p className="mt-6">{t('resume.stranger')}</p> : null}
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
