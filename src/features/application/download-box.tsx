import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Form } from 'react-router';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { DateField, type DateParts } from '~/ui/date-field.tsx';
import type { StatusView } from './status-view.ts';

/** First the button, then the applicant's date of birth. */
export function DownloadBox({
  view,
  isAsked,
  refused,
}: {
  view: StatusView;
  isAsked: boolean;
  /** The date of birth that did not open it. */
  refused: DateParts | null;
}) {
  const { t } = useTranslation('application');
  useEffect(() => {
    // After a refusal the error summary has the focus.
    if (isAsked && !refused) document.getElementById('dateOfBirth')?.focus();
  }, [isAsked, refused]);
  if (!view.document) return null;
  const kilobytes = Math.max(1, Math.round(view.document.size / 1024));
  if (!isAsked) {
    return (
      <div className="mt-6 flex flex-wrap items-center gap-x-5 gap-y-3">
        <ButtonLink
          className="max-wide:w-full"
          icon="download"
          preventScrollReset
          to={`?ref=${view.number}&download=yes#dateOfBirth`}
        >
          {t(`download.${view.kind}`)}
        </ButtonLink>
        <p className="small text-ink-2">{t('download.about', { size: kilobytes })}</p>
      </div>
    );
  }
  return (
    // A document request: the answer is the file, and the page stays.
    <Form className="mt-6 grid justify-items-start gap-5" method="post" reloadDocument>
      <input name="ref" type="hidden" value={view.number} />
      <DateField
        birthday
        defaultValue={refused ?? undefined}
        error={refused ? t('download.notOpened') : undefined}
        hint={t('download.birthDateHint')}
        label={t('download.birthDate')}
        name="dateOfBirth"
      />
      <div className="flex flex-wrap items-center gap-x-7 gap-y-3 max-wide:w-full">
        <Button className="max-wide:w-full" icon="download">
          {t(`download.${view.kind}`)}
        </Button>
        <ButtonLink look="plain" preventScrollReset to={`?ref=${view.number}`}>
          {t('download.cancel')}
        </ButtonLink>
      </div>
    </Form>
  );
}
