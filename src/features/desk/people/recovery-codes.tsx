import { useTranslation } from '~/ui/texts/texts.tsx';
import { Notice } from '~/ui/notice.tsx';

/** New recovery codes, shown once. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const { t } = useTranslation('staff');
  return (
    <Notice role="status" title={t('recovery.title')} tone="green">
      <p>{t('recovery.text')}</p>
      <ul
        className="mono mt-3 grid grid-cols-[repeat(auto-fill,minmax(120px,1fr))] gap-x-4 gap-y-1.5"
        dir="ltr"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </Notice>
  );
}
