import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from '~/ui/page/form.tsx';
import { changePath } from '~/features/order/payer/payer-links.ts';
import { Button } from '~/ui/button.tsx';
import { Notice } from '~/ui/notice.tsx';
import { useAllTexts } from '~/ui/texts/page-texts.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';

/** Above a form while an unpaid application is changed in it. */
export function ChangingNotice({ form, number }: { form: 'visa' | 'insurance'; number: string }) {
  const { t } = useTranslation('change');
  useAllTexts(true);
  return (
    <Notice className="mb-8" tone="blue" title={t('changing')}>
      <p>
        <NumberCode value={number} />
      </p>
      <p>{t(`until.${form}`)}</p>
      <Form action={changePath(number, number)} method="post">
        <Button look="plain" name="intent" type="submit" value="leave">
          {t('leave')}
        </Button>
      </Form>
    </Notice>
  );
}
