import { useTranslation } from 'react-i18next';
import type { QueueRow } from '../queue.server.ts';

/** What somebody who opens this row should know beforehand. */
export function DossierMarks({ row: { notes } }: { row: Pick<QueueRow, 'notes'> }) {
  const { t } = useTranslation('dossier');
  if (notes === 0) return null;
  return <span className="queue-holder">{t('marks.notes', { count: notes })}</span>;
}
