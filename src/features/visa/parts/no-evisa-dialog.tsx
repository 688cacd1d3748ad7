import { useTranslation } from '~/ui/texts/texts.tsx';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { Dialog, DialogClose } from '~/ui/dialog.tsx';

/** Where a consulate decides: offers insurance, or to go back to the page. */
export function NoEvisaDialog({
  country,
  onClose,
}: {
  country: { code: string; name: string };
  onClose: () => void;
}) {
  const { t } = useTranslation(['visa', 'catalog']);
  return (
    <Dialog
      actions={
        <>
          <ButtonLink to={`/insurance?country=${country.code}`}>
            {t('catalog:unavailable.insurance')}
          </ButtonLink>
          <DialogClose>
            <Button look="secondary">{t('catalog:unavailable.close')}</Button>
          </DialogClose>
        </>
      }
      id="no-evisa"
      onClose={onClose}
      title={t('catalog:eligibility.consular_visa.title')}
    >
      <p>{t('catalog:eligibility.consular_visa.text', { country: country.name })}</p>
    </Dialog>
  );
}
