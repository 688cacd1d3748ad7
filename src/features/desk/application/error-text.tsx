import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { MAX_CORRECTION_NOTE_LENGTH } from '~/features/application/correction/correction.ts';
import { formatCount } from '../frame/formats.ts';
import { CORRECTABLE_MS, MAX_STAFF_NOTE_LENGTH, MAX_WHY_LENGTH } from './note.ts';
import { MAX_PDF_MEGABYTES } from './pdf-rules.ts';
import { MAX_PUT_OFF_DAYS, MAX_PUT_OFF_LENGTH } from './put-off.ts';
import {
  MAX_MESSAGE_LENGTH,
  MAX_REFERENCE_LENGTH,
  MAX_REJECTION_REASON_LENGTH,
  type DeskError,
} from './decision-types.ts';

/** Characters of what was too long; of a reason where nothing else is named. */
const limits: Partial<Record<DeskError['code'], number>> = {
  note_too_long: MAX_CORRECTION_NOTE_LENGTH,
  message_too_long: MAX_MESSAGE_LENGTH,
  long_note: MAX_STAFF_NOTE_LENGTH,
  reference_unreal: MAX_REFERENCE_LENGTH,
  put_off_words: MAX_PUT_OFF_LENGTH,
  put_off_day: MAX_PUT_OFF_DAYS,
  long_why: MAX_WHY_LENGTH,
};

/** The text of an error, in the reader's language. */
export function useErrorText(error: DeskError | null): string | null {
  const { t, language } = useTranslation('desk');
  if (!error) return null;
  if (error.code === 'claimed') {
    const until = formatMoment(error.until, language, UTC, 'time');
    return t('claim.other', { name: error.name, until });
  }
  if (error.code === 'answered') {
    const moment = formatMoment(error.at, language, UTC, 'dated');
    return error.name === null
      ? t('error.wroteAgain', { moment })
      : t('error.answered', { name: error.name, moment });
  }
  if (error.code !== 'stale') {
    const limit = limits[error.code] ?? MAX_REJECTION_REASON_LENGTH;
    return t(`error.${error.code}`, {
      limit: formatCount(limit, language),
      megabytes: MAX_PDF_MEGABYTES,
      minutes: CORRECTABLE_MS / 60_000,
    });
  }
  const status = t(`status.${error.status}`);
  if (!error.first?.name) return t('error.staleUnknown', { status });
  const moment = formatMoment(error.first.at, language, UTC, 'dated');
  return t('error.stale', { name: error.first.name, status, moment });
}
