import { Form, useNavigation } from 'react-router';
import { isFinal } from '~/features/application/status-machine.ts';
import { rejectionCodesFor } from '~/features/application/rejection.ts';
import { LONGEST_NOTE } from '~/features/application/correction/correction.ts';
import { BODY_LIMIT_MEGABYTES } from '~/platform/input/body-limit.ts';
import { Button } from '~/ui/button.tsx';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { SelectField } from '~/ui/fields/select-field.tsx';
import { TextArea } from '~/ui/fields/text-field.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { correctableFor } from '../correction/correctable.ts';
import { LONGEST_REASON } from '../decision/decision.ts';
import { MAX_PDF_MEGABYTES } from '../visa-document/pdf-rules.ts';
import type { GroupAnswer } from './group-form.server.ts';
import type { TravellerView } from './group-view.server.ts';
import { GROUP_FORM } from './side-by-side.tsx';

/** Scripts upload each PDF by itself; without them all go in one form, beside what else it sends. */
const PDFS_AT_ONCE_MEGABYTES = BODY_LIMIT_MEGABYTES - 1;

/** What can be done for the chosen travellers at once. Nothing where all are decided. */
export function GroupDecision({
  travellers,
  answer,
}: {
  travellers: readonly TravellerView[];
  answer: GroupAnswer | null;
}) {
  const { t } = useTranslation(['decision', 'desk']);
  const navigation = useNavigation();
  const open = travellers.filter(({ visa }) => !isFinal(visa.status));
  if (open.length === 0) return null;
  const isPaid = open.some(({ visa }) => visa.paid);
  // What was typed stays until it is done for all of them: something was refused, or waits to be sent.
  const isLeft =
    answer &&
    (answer.error ||
      answer.drafts.length > 0 ||
      answer.outcomes.some(({ kind }) => kind !== 'done'));
  const left = isLeft ? answer.action : null;
  const busy = navigation.state === 'submitting' ? navigation.formData?.get('intent') : null;
  return (
    <Form
      className="mt-4 grid max-w-[640px] grid-cols-1 gap-3"
      encType="multipart/form-data"
      // Made anew with each answer: fields take what was typed, or nothing, only as they are made.
      key={[
        ...(answer?.outcomes ?? []).map(({ number, kind }) => `${number} ${kind}`),
        ...(answer?.drafts ?? []).map(({ id }) => id),
      ].join()}
      id={GROUP_FORM}
      method="post"
      preventScrollReset
    >
      {/* The first button is the one that the return key presses: it decides nothing. */}
      <button aria-hidden className="hidden" name="intent" tabIndex={-1} value="choose" />
      <h3 className="text-base">{t('group.decide')}</h3>
      {isPaid ? (
        <>
          <p className="text-ink-2" id="approve-hint">
            {t('group.approveHint')}
          </p>
          {open.length * MAX_PDF_MEGABYTES > PDFS_AT_ONCE_MEGABYTES ? (
            <noscript>
              <p className="text-ink-2">
                {t('group.pdfsAtOnce', { megabytes: PDFS_AT_ONCE_MEGABYTES })}
              </p>
            </noscript>
          ) : null}
          <Button
            aria-describedby="approve-hint"
            busy={busy === 'approve_chosen'}
            name="intent"
            small
            value="approve_chosen"
          >
            {t('group.approve')}
          </Button>
        </>
      ) : (
        <p className="text-ink-2">{t('group.unpaid')}</p>
      )}
      <RejectTogether busy={busy === 'reject_chosen'} typed={left === 'reject' ? answer : null} />
      {isPaid ? (
        <CorrectTogether
          busy={busy === 'correct_chosen'}
          travellers={open}
          typed={left === 'correction' ? answer : null}
        />
      ) : null}
    </Form>
  );
}

function RejectTogether({ typed, busy }: { typed: GroupAnswer | null; busy: boolean }) {
  const { t } = useTranslation(['decision', 'rejection']);
  return (
    <details className="desk-more" open={typed !== null || undefined}>
      <summary>{t('group.reject')}</summary>
      <div className="grid grid-cols-1 gap-3.5 py-2">
        <p className="text-ink-2">{t('group.rejectHint')}</p>
        <SelectField
          defaultValue={typed?.typed.code}
          emptyLabel={t('reject.choose')}
          hint={t('group.reasonHint')}
          label={t('reject.reason')}
          name="reasonCode"
          options={rejectionCodesFor('visa').map((code) => ({
            value: code,
            label: t(`rejection:reason.${code}`),
          }))}
          width="full"
        />
        <TextArea
          defaultValue={typed?.typed.text}
          dir="auto"
          hint={t('reject.wordsHint')}
          label={t('reject.words')}
          maxLength={LONGEST_REASON}
          name="reason"
          rows={3}
        />
        <Button busy={busy} look="danger" name="intent" small value="reject_chosen">
          {t('group.rejectSend')}
        </Button>
      </div>
    </details>
  );
}

function CorrectTogether({
  travellers,
  typed,
  busy,
}: {
  travellers: readonly TravellerView[];
  typed: GroupAnswer | null;
  busy: boolean;
}) {
  const { t } = useTranslation(['decision', 'desk', 'visa']);
  // What any of them can correct; of each one only what there is.
  const fields = new Set(
    travellers.flatMap(({ visa: { visa } }) =>
      correctableFor(
        'visa',
        visa?.supportingDocument ? { issuer: visa.supportingDocument.issuerCode } : null,
      ),
    ),
  );
  return (
    <details className="desk-more" open={typed !== null || undefined}>
      <summary>{t('group.correct')}</summary>
      <div className="grid grid-cols-1 gap-3.5 py-2">
        <p className="text-ink-2">{t('desk:correction.lead')}</p>
        <fieldset>
          <legend className="mb-1 font-semibold">{t('desk:correction.fields')}</legend>
          <div className="grid grid-cols-[repeat(auto-fill,minmax(150px,1fr))] gap-x-3">
            {[...fields].map((field) => (
              <CheckBox
                defaultChecked={typed?.typed.fields.includes(field)}
                key={field}
                label={t(`visa:labels.${field}`, field)}
                name={`reopen-${field}`}
              />
            ))}
          </div>
        </fieldset>
        <TextArea
          defaultValue={typed?.typed.text}
          dir="auto"
          hint={t('group.noteHint')}
          label={t('desk:correction.note')}
          maxLength={LONGEST_NOTE}
          name="note"
          rows={3}
        />
        <Button busy={busy} look="secondary" name="intent" small value="correct_chosen">
          {t('group.correctSend')}
        </Button>
      </div>
    </details>
  );
}
