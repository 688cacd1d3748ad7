import { useTranslation } from '~/ui/texts/texts.tsx';
import { useDeadlines } from '~/ui/moment.tsx';
import { Notice } from '~/ui/notice.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { deadlineWords } from '../correction/correction.ts';
import type { StatusView } from './status-view.ts';

/** What the traveller is asked to correct, where, and until when. The note of staff is in the email alone. */
export function CorrectionNotice({
  correction: { fields, until, keepsStart },
  view: { kind, startsOn },
}: {
  correction: NonNullable<StatusView['correction']>;
  view: Pick<StatusView, 'kind' | 'startsOn'>;
}) {
  const { t } = useTranslation(['application', 'correction', 'visa', 'insurance']);
  const language = useLanguage();
  const moment = useDeadlines()(until, 'long');
  const [by, ...rest] = deadlineWords(useTranslation('correction').t, language, {
    kind,
    startsOn,
    keepsStart,
    moment,
  });
  return (
    <Notice className="mt-5" title={t('correction:asked')} tone="amber">
      <ul className="my-2 list-disc ps-5">
        {fields.map((field) => (
          <li key={field}>{t(`${kind}:labels.${field}`, field)}</li>
        ))}
      </ul>
      <p>{t('text.actionRequired')}</p>
      <p className="mt-2 font-semibold">{by}</p>
      <p className="mt-2">{rest.join(' ')}</p>
    </Notice>
  );
}
