import { Notice } from '~/ui/notice.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';

/** Names the files that did not arrive; nothing where all did. */
export function Unsent({ names }: { names: readonly string[] }) {
  const { t } = useTranslation('pdf-batch');
  if (names.length === 0) return null;
  return (
    <Notice className="mt-3" role="alert" title={t('unsent')} tone="red">
      <ul>
        {names.map((name) => (
          <li className="wrap-anywhere" key={name}>
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
