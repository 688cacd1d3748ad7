import { languageColon } from '~/base/languages.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { FormActions, NarrowPage, PageHead } from '~/ui/layout.tsx';
import { Answers } from '~/ui/answers.tsx';
import { Notice } from '~/ui/notice.tsx';
import type { BegunAnswers } from './resume.server.ts';
import { LINK_DAYS } from '../answers/limits.ts';

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
  const { t, language } = useTranslation('visa');
  const { begun } = page;
  const isOpen = begun !== null && answer?.tooMany !== false;
  const colon = languageColon(language);
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
