import { useTranslation } from '~/ui/texts/texts.tsx';
import type { News } from './news.ts';

/** Tells whoever does not see the page what changed on it by itself. */
export function LiveNews({ news }: { news: readonly News[] }) {
  const { t } = useTranslation('desk');
  const said = news.map((one) => {
    if (one.kind === 'taken') return t('live.said.taken', { name: one.name });
    if (one.kind === 'status') {
      return t('live.said.status', { status: t(`status.${one.status}`) });
    }
    if (one.kind === 'signal') return t(`nav.signal.${one.of}`, { count: one.count });
    return t(`live.said.${one.kind}`);
  });
  return (
    <p className="visually-hidden" data-testid="live-news" role="status">
      {said.join(' ')}
    </p>
  );
}
