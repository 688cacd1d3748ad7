import { useTranslation } from 'react-i18next';
import { Form } from 'react-router';
import { Button } from '~/ui/button.tsx';
import { Notice } from '~/ui/notice.tsx';
import { useAllTexts } from '~/ui/texts/page-texts.tsx';
import { NumberCode } from '~/ui/number-code.tsx';

/** Above every step of the wizard while an unpaid application is changed. */
export function ChangingNotice({ number }: { number: string }) {
  const { t } = useTranslation('visa');
  useAllTexts(true);
  return (
    <Notice className="mb-8" tone="blue" title={t('change.changing')}>
      <p>
        <NumberCode value={number} />
      </p>
      <p>{t('change.until')}</p>
      <Form action={`/application/change?ref=${number}`} method="post">
        <Button look="plain" name="intent" type="submit" value="leave">
          {t('change.leave')}
        </Button>
      </Form>
    </Notice>
  );
}
