import { useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from '~/ui/page/link.tsx';
import { formatDateShort, formatMoment, parseDate, UTC } from '~/base/dates/dates.ts';
import { Notice } from '~/ui/notice.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { useListAddress } from '../frame/list-address.tsx';
import { ApplicationStatusTag } from '../frame/queue-row-state.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { DuplicateView } from './case-file.server.ts';
import type { CaseFileDone, CaseFileProblem } from './case-file-answer.ts';
import { CaseFileForm } from './case-file-form.tsx';
import { DoneNotice } from './case-file-words.tsx';
import { LONGEST_WHY } from '../notes/note.ts';

/** Possible duplicates with the reason for each, and those that were dismissed. */
export function DuplicateSection({
  duplicates,
  done,
  problem,
}: {
  duplicates: readonly DuplicateView[];
  done: CaseFileDone | null;
  problem: CaseFileProblem | null;
}) {
  const { t } = useTranslation('case-file');
  const open = duplicates.filter(({ dismissal }) => !dismissal);
  const dismissed = duplicates.filter(({ dismissal }) => dismissal);
  return (
    <>
      <DoneNotice done={done} of={['duplicate_dismissed']} />
      {open.length > 0 ? (
        <Notice title={t('duplicates.title', { count: open.length })} tone="amber">
          <p>{t('duplicates.lead')}</p>
          <ul className="mt-2 grid gap-2.5 [&>li+li]:border-t [&>li+li]:border-line-2 [&>li+li]:pt-2.5">
            {open.map((duplicate) => (
              <li key={duplicate.id}>
                <DuplicateFacts duplicate={duplicate} />
                <CaseFileForm
                  about={duplicate.id}
                  intent="dismiss_duplicate"
                  label={t('duplicates.why')}
                  lead={t('duplicates.dismissLead')}
                  longest={LONGEST_WHY}
                  problem={problem}
                  send={t('duplicates.dismissSend')}
                  title={t('duplicates.dismiss')}
                />
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
      {dismissed.length > 0 ? (
        <details className="desk-more">
          <summary>{t('duplicates.dismissed')}</summary>
          <ul className="desk-history">
            {dismissed.map((duplicate) => (
              <li key={duplicate.id}>
                <DuplicateFacts duplicate={duplicate} />
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </>
  );
}

function DuplicateFacts({ duplicate }: { duplicate: DuplicateView }) {
  const { t } = useTranslation('case-file');
  const language = useLanguage();
  const list = useListAddress().replace('/admin', '');
  const { number, name, status, from, until, reasons, dismissal } = duplicate;
  const day = (text: string) => {
    const date = parseDate(text);
    return date ? formatDateShort(date, language) : text;
  };
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <Link className="desk-link" to={`/admin/applications/${number}${list}#application`}>
          <NumberCode value={number} />
        </Link>
        <ApplicationStatusTag status={status} />
      </p>
      <p>
        <bdi>{name}</bdi>, {t('duplicates.dates', { from: day(from), until: day(until) })}
      </p>
      {reasons.map((reason) => (
        <p key={reason}>{t(`duplicates.reason.${reason}`)}</p>
      ))}
      {dismissal ? (
        <p dir="auto">
          {t('duplicates.dismissedBy', {
            name: dismissal.by,
            moment: formatMoment(dismissal.at, language, UTC, 'dated'),
            why: dismissal.why,
          })}
        </p>
      ) : null}
    </>
  );
}
