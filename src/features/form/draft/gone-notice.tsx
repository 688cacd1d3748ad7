import { Notice } from '~/ui/notice.tsx';
import { useAllTexts } from '~/ui/texts/page-texts.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { FormName } from '../answers/controls.ts';

/** The draft of the page that was sent is gone: its cookie was deleted, or it expired. Nothing that was sent is lost. */
export function GoneNotice({ form }: { form: FormName }) {
  const { t } = useTranslation(form);
  useAllTexts(true);
  return (
    <Notice className="mb-8" role="alert" title={t(`${form}:gone.title`)} tone="amber">
      <p>{t(`${form}:gone.text`)}</p>
    </Notice>
  );
}
