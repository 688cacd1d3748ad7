import { useTranslation } from '~/ui/texts/texts.tsx';
import type { QueueRow } from './queue.server.ts';

/** What somebody who opens this row should know beforehand. */
export function CaseFileMarks({
  row: { notes, duplicate },
}: {
  row: Pick<QueueRow, 'notes' | 'duplicate'>;
}) {
  const { t } = useTranslation('case-file');
  return (
    <>
      {duplicate ? <span className="queue-flag">{t('marks.duplicate')}</span> : null}
      {notes > 0 ? (
        <span className="queue-holder">{t('marks.notes', { count: notes })}</span>
      ) : null}
    </>
  );
}
