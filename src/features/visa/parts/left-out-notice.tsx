import { EligibilityText } from '~/features/catalog/eligibility-text.tsx';
import { Notice } from '~/ui/notice.tsx';
import { useAllTexts } from '~/ui/texts/page-texts.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { LeftOut } from './step-view.ts';

/** Says that a traveller of the party needs no e-visa, or cannot get one, and is not part of the order. */
export function LeftOutNotice({ leftOut: { country, eligibility, note } }: { leftOut: LeftOut }) {
  const { t } = useTranslation(['visa', 'catalog']);
  useAllTexts(true);
  return (
    <Notice className="mb-8" role="status" title={t('party.leftOut', { country })} tone="blue">
      <p>
        {note ? (
          t(`catalog:notes.${note}`)
        ) : eligibility.reason === 'supporting_document_required' ? (
          t('catalog:eligibility.supporting_document_required.documentText')
        ) : (
          <EligibilityText answer={eligibility} country={country} />
        )}
      </p>
      <p className="mt-2">{t('party.goOn')}</p>
    </Notice>
  );
}
