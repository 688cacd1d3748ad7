import { useTranslation } from '~/ui/texts/texts.tsx';
import { Notice } from '~/ui/notice.tsx';
import { useAllTexts } from '~/ui/texts/page-texts.tsx';
import type { TypedAnswers } from '~/features/form/answers/controls.ts';
import { NATIONALITY_NOW } from '../rules/other-nationality.ts';
import { ReplacedNotice as ReplacedAnswers } from '~/features/form/draft/replaced-notice.tsx';

/** The keys of chosen values' texts; typed values are shown as they are. */
const words: Readonly<Record<string, (value: string) => string>> = {
  documentType: (value) => `catalog:travelDocument.${value}`,
  hasSupportingDocument: (value) => `supporting_document.${value}`,
  supportingDocumentType: (value) => `supporting_document.${value}`,
  supportingDocumentUnlimited: (value) => `supporting_document.${value}`,
  purpose: (value) => `what_it_allows.${value}`,
  processingType: (value) => `application:service.${value}.name`,
};

/** Shows the answers of another tab that this page has replaced. */
export function ReplacedNotice({ replaced }: { replaced: TypedAnswers }) {
  const { [NATIONALITY_NOW]: nationality, ...answers } = replaced;
  return (
    <>
      {nationality ? <NationalityNotice nationality={nationality} /> : null}
      <ReplacedAnswers form="visa" replaced={answers} words={words} />
    </>
  );
}

/** Another tab has chosen another nationality, on which questions and price depend. */
function NationalityNotice({ nationality }: { nationality: string }) {
  const { t } = useTranslation('visa');
  useAllTexts(true);
  const title = t('elsewhere.nationality', { nationality });
  return (
    <Notice className="mb-8" role="alert" title={title} tone="amber">
      <p>{t('elsewhere.nationalityText')}</p>
    </Notice>
  );
}
