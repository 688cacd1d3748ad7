import { useTranslation } from '~/ui/texts/texts.tsx';
import { ButtonLink } from '~/ui/button.tsx';
import { BirthDateForm } from './birth-date-form.tsx';
import { documentOf } from './shown-status.ts';
import type { RefusedDate, StatusView } from './status-view.ts';

/** A button first, which then asks for the applicant's date of birth. */
export function DownloadBox({
  view,
  isAsked,
  refused,
}: {
  view: StatusView;
  isAsked: boolean;
  /** The date of birth that was refused. */
  refused: RefusedDate | null;
}) {
  const { t } = useTranslation('application');
  if (!view.document) return null;
  const kind = documentOf(view);
  const label = t(`download.${kind}`);
  const kilobytes = Math.max(1, Math.round(view.document.size / 1024));
  if (!isAsked) {
    return (
      <div className="mt-6 flex flex-wrap items-center gap-x-5 gap-y-3">
        <ButtonLink
          className="max-wide:w-full"
          icon="download"
          look={kind === 'cancelledInsurance' ? 'secondary' : 'primary'}
          to={`?ref=${view.number}&download=yes#dateOfBirth`}
        >
          {label}
        </ButtonLink>
        <p className="text-small text-ink-2">{t('download.about', { size: kilobytes })}</p>
      </div>
    );
  }
  return <BirthDateForm label={label} number={view.number} refused={refused} />;
}
