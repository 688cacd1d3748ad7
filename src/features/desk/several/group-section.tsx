import {
  ReasonField,
  ReasonWords,
  ReopenedFields,
  CorrectionNote,
} from '../application/decision-fields.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useClock } from '~/ui/use-now.tsx';
import type { GroupView, TravellerView } from './open-group.server.ts';
import { SideBySide, GROUP_FORM } from './side-by-side.tsx';
import { Notice } from '~/ui/notice.tsx';
import { useErrorText } from '../application/error-text.tsx';
import type { GroupAnswer } from './decide-several.server.ts';
import { PdfForm } from './pdf-drop.tsx';
import { TemplatePreview } from '../settings/template-preview.tsx';
import { SeveralOutcomes } from './several-outcomes.tsx';
import { useState } from 'react';
import { Form, useNavigation } from 'react-router';
import { Button } from '~/ui/button.tsx';
import { correctableByKind } from '../application/case-actions.ts';

/** What can be done for the chosen travellers at once. Nothing where all are decided. */
function GroupDecision({
  loaded: { travellers, orderNumber, templates },
  answer,
}: {
  loaded: GroupView;
  answer: GroupAnswer | null;
}) {
  const { t } = useTranslation('decision');
  const navigation = useNavigation();
  const open = travellers.filter(({ may }) => may.reject);
  if (open.length === 0) return null;
  const mayApprove = open.some(({ may }) => may.approve);
  // What was typed stays until it is done for all of them.
  const isLeft = answer && (answer.error || answer.outcomes.some((one) => 'error' in one));
  const left = isLeft ? answer.action : null;
  const busy = navigation.state === 'submitting' ? navigation.formData?.get('intent') : null;
  return (
    <div className="mt-4 grid max-w-[640px] grid-cols-1 gap-3">
      <h3 className="text-base">{t('group.decide')}</h3>
      {mayApprove ? (
        <>
          <p className="text-ink-2">{t('group.approveHint')}</p>
          <PdfForm to={`/admin/pdfs?order=${orderNumber}`} />
        </>
      ) : (
        <p className="text-ink-2">{t('group.unpaid')}</p>
      )}
      <Form
        className="grid grid-cols-1 gap-3"
        // Made anew with each answer: fields take what was typed, or nothing, only as they are made.
        key={(answer?.outcomes ?? []).map((one) => `${one.id} ${'done' in one}`).join()}
        id={GROUP_FORM}
        method="post"
        preventScrollReset
      >
        {/* The first button is the one that the return key presses: it decides nothing. */}
        <button aria-hidden className="hidden" name="intent" tabIndex={-1} value="choose" />
        <RejectTogether
          busy={busy === 'reject_chosen'}
          templates={templates}
          typed={left === 'reject' ? answer : null}
        />
        {open.some(({ may }) => may.correction) ? (
          <CorrectTogether
            busy={busy === 'correct_chosen'}
            travellers={open}
            typed={left === 'correction' ? answer : null}
          />
        ) : null}
      </Form>
    </div>
  );
}

/** The emails leave after the time to undo them; what they will say stands below the reason. */
function RejectTogether({
  typed,
  templates,
  busy,
}: {
  typed: GroupAnswer | null;
  templates: GroupView['templates'];
  busy: boolean;
}) {
  const { t } = useTranslation('decision');
  const [code, setCode] = useState(typed?.typed.code ?? '');
  return (
    <details className="desk-more" open={typed !== null || undefined}>
      <summary>{t('group.reject')}</summary>
      <div className="grid grid-cols-1 gap-3.5 py-2">
        <p className="text-ink-2">{t('group.rejectHint')}</p>
        <ReasonField
          defaultValue={typed?.typed.code}
          hint={t('group.reasonHint')}
          kind="visa"
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        {templates.map((one) => {
          const template = one.rejection[code];
          return template ? (
            <TemplatePreview chosen={[template]} key={one.language} templates={one} />
          ) : null;
        })}
        <ReasonWords defaultValue={typed?.typed.text} rows={3} />
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
  const { t } = useTranslation(['decision', 'desk']);
  // What any of them can correct; of each one only what there is.
  const fields = new Set(
    travellers.flatMap(({ visa: { visa } }) =>
      correctableByKind(
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
          <ReopenedFields fields={[...fields]} kind="visa" ticked={typed?.typed.fields} />
        </fieldset>
        <CorrectionNote defaultValue={typed?.typed.text} hint={t('group.noteHint')} rows={3} />
        <Button busy={busy} look="secondary" name="intent" small value="correct_chosen">
          {t('group.correctSend')}
        </Button>
      </div>
    </details>
  );
}

/** The travellers of an order beside one another, and what is decided for several of them at once. */
export function GroupSection({
  loaded,
  latest,
  answer,
  madeAt,
}: {
  /** As the page was loaded: what its forms were made from, so that a decision names what was seen. */
  loaded: GroupView;
  /** As they are now. */
  latest: GroupView;
  /** To what was just sent. */
  answer: GroupAnswer | null;
  madeAt: number;
}) {
  const { t } = useTranslation('decision');
  const { travellers } = loaded;
  const now = useClock(madeAt);
  return (
    <section className="mt-5 scroll-mt-2" id="group">
      <h2 id="travellers">{t('group.title', { count: travellers.length })}</h2>
      {answer ? <GroupOutcomes answer={answer} /> : null}
      <SideBySide
        chosen={answer && chosenAfter(answer)}
        latest={latest.travellers}
        now={now}
        travellers={travellers}
      />
      <GroupDecision answer={answer} loaded={loaded} />
    </section>
  );
}

/**
 * Whom the page selects after an answer: those who were selected, less those for whom it is done; null for everybody
 * that is left, where it is done for all.
 */
function chosenAfter({ chosen, outcomes }: GroupAnswer): readonly string[] | null {
  const done = outcomes.flatMap((one) => ('done' in one ? one.id : []));
  const isAllDone = outcomes.length > 0 && done.length === outcomes.length;
  return isAllDone ? null : chosen.filter((number) => !done.includes(number));
}

/** What became of each of the chosen travellers, or why nothing was done for anybody. */
function GroupOutcomes({ answer }: { answer: GroupAnswer }) {
  const { t } = useTranslation(['decision', 'desk']);
  const { error, outcomes } = answer;
  const text = useErrorText(error && error.code !== 'none_chosen' ? error : null);
  if (error) {
    return (
      <Notice className="mt-3" role="alert" title={t('desk:error.title')} tone="red">
        {error.code === 'none_chosen' ? t('group.noneChosen') : text}
      </Notice>
    );
  }
  return <SeveralOutcomes outcomes={outcomes} />;
}
