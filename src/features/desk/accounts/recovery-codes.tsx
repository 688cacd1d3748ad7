import { useTranslation } from '~/ui/texts/texts.tsx';
import { Notice } from '~/ui/notice.tsx';

/** New recovery codes, shown this once. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const { t } = useTranslation('staff');
  return (
    <Notice role="status" title={t('recovery.title')} tone="green">
      <p>{t('recovery.text')}</p>
      <ul className="recovery-codes mono" dir="ltr">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </Notice>
  );
}
