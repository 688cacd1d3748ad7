import { useTranslation } from 'react-i18next';
import { Form } from 'react-router';
import { formatMoment, UTC } from '~/base/dates.ts';
import { correctable, LONGEST_NOTE } from '~/features/visa/correction/correctable.ts';
import { Button } from '~/ui/button.tsx';
import { CheckBox } from '~/ui/check-box.tsx';
import { Notice } from '~/ui/notice.tsx';
import { TextArea } from '~/ui/text-field.tsx';
import type { Detail } from './detail.server.ts';
import { useDeskLanguage } from './queue-row-state.tsx';

/** Asks the traveller of a paid, undecided visa for a correction, or shows what is being waited for. */
export function CorrectionSection({
  application,
  mayAct,
  note,
}: {
  application: Detail;
  mayAct: boolean;
  /** What was typed before an error. */
  note: string;
}) {
  const { t } = useTranslation(['desk', 'visa']);
  const language = useDeskLanguage();
  const { kind, decidedAt, paid, pausedAt, corrections, visa } = application;
  if (kind !== 'visa' || decidedAt || !paid) return null;
  const open = corrections.find((one) => !one.answeredAt && !one.closedAt);
  if (pausedAt && open) {
    const since = formatMoment(pausedAt, language, UTC, 'dated');
    return (
      <Notice title={t('correction.waiting', { moment: since })} tone="amber">
        <p>{open.fields.map((field) => t(`visa:labels.${field}`)).join(' · ')}</p>
        <p className="history-reason" dir="auto">
          {open.note}
        </p>
        <p>{t('correction.paused')}</p>
        {mayAct ? (
          <Form method="post" preventScrollReset>
            <button className="link-button" name="intent" value="withdraw">
              {t('correction.withdraw')}
            </button>
          </Form>
        ) : null}
      </Notice>
    );
  }
  if (!mayAct) return null;
  const fields = correctable.filter(
    (field) => field !== 'supportingDocumentNumber' || visa?.supportingDocument,
  );
  return (
    <details className="desk-facts" open={note !== '' || undefined}>
      <summary>{t('correction.title')}</summary>
      <Form method="post" preventScrollReset>
        <p className="desk-quiet">{t('correction.lead')}</p>
        <fieldset>
          <legend>{t('correction.fields')}</legend>
          {fields.map((field) => (
            <CheckBox key={field} label={t(`visa:labels.${field}`)} name={`reopen-${field}`} />
          ))}
        </fieldset>
        <TextArea
          defaultValue={note}
          dir="auto"
          hint={t('correction.noteHint')}
          label={t('correction.note')}
          maxLength={LONGEST_NOTE}
          name="note"
          required
          rows={3}
        />
        <Button look="secondary" name="intent" small value="correction" wide>
          {t('correction.send')}
        </Button>
      </Form>
    </details>
  );
}
