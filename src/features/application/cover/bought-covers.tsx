import { useTranslation } from '~/ui/texts/texts.tsx';
import { CoverTable } from './cover-table.tsx';
import type { CoverView } from './cover-view.ts';

/** The terms that insurances were bought on; nothing where none was. */
export function BoughtCovers({ covers }: { covers: readonly CoverView[] }) {
  const { t } = useTranslation('insurance');
  return covers.map((cover) => (
    <CoverTable cover={cover} key={cover.version} title={t('terms.bought')} />
  ));
}
