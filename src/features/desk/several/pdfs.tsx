import { useState } from 'react';
import { data, Form, redirect, useLocation, useNavigation } from 'react-router';
import { readNumber } from '~/features/application/number.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import { formText } from '~/platform/input/form-text.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { Button } from '~/ui/button.tsx';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { FormHead } from '~/ui/fields/error-summary.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import { Notice } from '~/ui/notice.tsx';
import { Link } from '~/ui/page/link.tsx';
import { StatusTag, type StatusTone } from '~/ui/status-tag.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useErrorText } from '../application/error-text.tsx';
import { PdfCard, PdfFrame } from '../application/pdf-card.tsx';
import { MAX_PDF_MEGABYTES, MAX_WAITING_PDFS } from '../application/pdf-rules.ts';
import { undoCookie } from '../application/undo-record.server.ts';
import { DeskPage } from '../frame/desk-page.tsx';
import { ApplicationStatusTag } from '../frame/queue-row-state.tsx';
import { actOnPdfs, type SeveralOutcome } from './decide-several.server.ts';
import { PdfForm, type PdfsState, type RefusedPdf } from './pdf-drop.tsx';
import { SeveralOutcomes } from './several-outcomes.tsx';
import {
  addPdf,
  openWaitingPdfs,
  removePdf,
  type PdfChoice,
  type PdfMatch,
  type WaitingPdf,
} from './waiting-pdfs.server.ts';
import type { Route } from './+types/pdfs.ts';

/** The order whose travellers a PDF may be for that names nobody. */
function orderIn(request: Request): string | null {
  const read = readNumber(new URL(request.url).searchParams.get('order') ?? '');
  return read.ok ? read.number : null;
}

/** One's waiting PDFs beside the applications that they may be for. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { staff, language, platform } = await requireDesk({ request, context }, 'approve');
  const orderNumber = orderIn(request);
  return { orderNumber, pdfs: await openWaitingPdfs(platform, staff, { language, orderNumber }) };
}

/** What a form said about a waiting PDF: its application, the value of its box (null: no tick), a typed number. */
type SentPdf = { number: string; tick: string | null; typed: string };

type Answer = {
  /** Epoch milliseconds: tells one answer from another. */
  at: number;
  outcomes: SeveralOutcome[];
  refused: RefusedPdf[];
  problem: 'noFile' | 'noneTicked' | null;
  /** By id of the PDF: stays in the form. */
  sent: Record<string, SentPdf>;
};

function sentPdfs(form: FormData): Answer['sent'] {
  const ids = [...form.keys()].flatMap((name) => /^number-([0-9a-f-]{36})$/.exec(name)?.[1] ?? []);
  return Object.fromEntries(
    ids.slice(0, MAX_WAITING_PDFS).map((id) => [
      id,
      {
        number: formText(form, `application-${id}`),
        tick: formText(form, `tick-${id}`) || null,
        typed: formText(form, `number-${id}`),
      },
    ]),
  );
}

/** Adds PDFs, removes one, stores typed numbers, approves what is ticked. Each button stores the numbers. */
export async function action({ request, context }: Route.ActionArgs) {
  const { staff, platform } = await requireDesk({ request, context }, 'approve');
  const form = await readForm({ request, context });
  const answer = (given: Partial<Answer>, status = 200, more: Record<string, string> = {}) =>
    data<Answer>(
      {
        at: platform.now().getTime(),
        outcomes: [],
        refused: [],
        problem: null,
        sent: sentPdfs(form),
        ...given,
      },
      { status, headers: more },
    );
  const removed = formText(form, 'remove');
  if (removed !== '') await removePdf(platform, staff, removed);
  const intent = formText(form, 'intent');
  if (removed !== '' || intent !== '') {
    const approve = intent === 'approve_files';
    const outcomes = await actOnPdfs(platform, staff, { form, approve });
    const problem = approve && outcomes.length === 0 ? 'noneTicked' : null;
    const isDecided = outcomes.some((one) => 'done' in one);
    return answer({ outcomes, problem }, 200, isDecided ? undoCookie(platform, staff) : {});
  }
  const files = form.getAll('documents').filter((one) => one instanceof File);
  const sent = files.filter(({ size }) => size > 0);
  if (sent.length === 0) return answer({ problem: 'noFile' }, 422);
  const refused: RefusedPdf[] = [];
  for (const file of sent) {
    const added = await addPdf(platform, staff, file);
    if (!added.ok) refused.push({ name: file.name, error: added.error });
  }
  const { pathname, search } = new URL(request.url);
  return refused.length > 0 ? answer({ refused }) : redirect(`${pathname}${search}`);
}

function refusedIn(state: unknown): readonly RefusedPdf[] {
  const given: Partial<PdfsState> = typeof state === 'object' && state !== null ? state : {};
  return given.refused ?? [];
}

/** One card for each waiting PDF, and one button that approves what is ticked. */
export default function PdfsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('pdfs');
  const { pdfs, orderNumber } = loaderData;
  const { state } = useLocation();
  const isBusy = useNavigation().state === 'submitting';
  const { outcomes = [], problem = null } = actionData ?? {};
  // Files that are added later leave the boxes as they are.
  const [answer, setAnswer] = useState(actionData);
  if (actionData && actionData !== answer) setAnswer(actionData);
  const refused = actionData ? actionData.refused : refusedIn(state);
  const noFile = problem === 'noFile' ? t('noFile') : undefined;
  return (
    <DeskPage>
      <FormHead
        problems={noFile === undefined ? [] : [{ name: 'documents', message: noFile }]}
        title={`${t('title')} – Lale`}
      />
      <h1>{t('title')}</h1>
      <p className="mt-1 max-w-[70ch] text-ink-2">{t('lead')}</p>
      {orderNumber === null ? null : (
        <p className="mt-1">
          <Link to={`/admin/orders/${orderNumber}#group`}>{t('order')}</Link>
        </p>
      )}
      {problem === 'noneTicked' ? (
        <Notice className="mt-3" role="alert" tone="red">
          {t('noneTicked')}
        </Notice>
      ) : null}
      <SeveralOutcomes outcomes={outcomes} />
      <Refused files={refused} />
      {pdfs.length > 0 ? (
        <Form
          className="mt-4 grid max-w-[900px] grid-cols-1 gap-4"
          // Made anew with each answer: boxes and fields take their values only as they are made.
          key={answer?.at}
          method="post"
          preventScrollReset
        >
          {/* The first button is the one that the return key presses: it approves nothing. */}
          <button aria-hidden className="hidden" name="intent" tabIndex={-1} value="find_files" />
          <ul className="grid grid-cols-1 gap-4">
            {pdfs.map((pdf) => (
              <PdfRow
                key={pdf.id}
                outcome={answer?.outcomes.find(({ id }) => id === pdf.id)}
                pdf={pdf}
                sent={answer?.sent[pdf.id]}
              />
            ))}
          </ul>
          <div className="bottom-(--desk-messages-size) flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line bg-paper py-3.5 wide:sticky [&>p]:flex-[1_1_240px]">
            <Button busy={isBusy} name="intent" small value="approve_files">
              {t('approve')}
            </Button>
            <Button look="secondary" name="intent" small value="find_files">
              {t('find')}
            </Button>
            <p className="text-fine text-ink-2">{t('approveHint')}</p>
          </div>
        </Form>
      ) : null}
      <PdfForm
        error={noFile}
        to={`/admin/pdfs${orderNumber === null ? '' : `?order=${orderNumber}`}`}
      />
    </DeskPage>
  );
}

/** Names the files that were not added, and why. */
function Refused({ files }: { files: readonly RefusedPdf[] }) {
  const { t } = useTranslation(['pdfs', 'desk']);
  if (files.length === 0) return null;
  const why = (error: RefusedPdf['error']) =>
    error === 'unsent' || error === 'same_file' || error === 'full'
      ? t(`refused.${error}`, { most: MAX_WAITING_PDFS })
      : t(`desk:error.${error}`, { megabytes: MAX_PDF_MEGABYTES });
  return (
    <Notice className="mt-3" role="alert" title={t('refused.title')} tone="red">
      <ul>
        {files.map(({ name, error }, index) => (
          <li className="wrap-anywhere" key={index}>
            <bdi className="font-semibold">{name}</bdi>: {why(error)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

const tones: Record<PdfMatch, StatusTone> = {
  exact: 'green',
  likely: 'amber',
  several: 'amber',
  nothing: 'red',
  chosen: 'blue',
};

/** A waiting PDF: its name, the applications that it may be for, and the box that includes it. */
function PdfRow({
  pdf: { id, name, match, choices, hasText, isSafe },
  sent,
  outcome,
}: {
  pdf: WaitingPdf;
  sent: SentPdf | undefined;
  outcome: SeveralOutcome | undefined;
}) {
  const { t } = useTranslation(['pdfs', 'desk']);
  const mayApprove = choices.some(({ obstacle }) => obstacle === null);
  const [only] = choices.length === 1 ? choices : [];
  const value = isSafe ? 'yes' : 'compared';
  const chosen = choices.find(({ number }) => number === sent?.number);
  const error = outcome && 'error' in outcome ? outcome.error : null;
  const isUnknown = error?.code === 'unknown_number';
  // What was refused has to be looked at again.
  const mayStay = isSafe || !error;
  return (
    <li
      aria-label={name}
      className="grid grid-cols-1 gap-3 rounded-card border border-line bg-paper p-4"
      data-testid="waiting-pdf"
    >
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 className="min-w-0 text-base wrap-anywhere">
          <bdi>{name}</bdi>
        </h2>
        <StatusTag tone={tones[match]}>{t(`match.${match}`)}</StatusTag>
        <span className="ms-auto flex items-baseline gap-4 text-fine">
          <a href={`/admin/pdfs/${id}`} rel="noopener" target="_blank">
            <OfFile name={name} text={t('open')} />
          </a>
          <button className="link-button" name="remove" value={id}>
            <OfFile name={name} text={t('remove')} />
          </button>
        </span>
      </div>
      {!hasText && match === 'likely' ? <p className="text-ink-2">{t('byName')}</p> : null}
      <div className={hasText ? undefined : BESIDE_PICTURE}>
        {choices.length > 0 ? (
          <fieldset className="grid min-w-0 grid-cols-1 content-start gap-4">
            <legend className={only ? 'sr-only' : 'mb-1 font-semibold'}>{t('which')}</legend>
            {only ? <input name={`application-${id}`} type="hidden" value={only.number} /> : null}
            {choices.map((choice) => (
              <Choice
                choice={choice}
                id={id}
                isChosen={choice === chosen}
                isOnly={only !== undefined}
                key={choice.id}
              />
            ))}
          </fieldset>
        ) : null}
        {hasText ? null : (
          <PdfFrame
            className="h-[420px]"
            src={`/admin/pdfs/${id}#toolbar=0&view=FitH`}
            title={name}
          />
        )}
      </div>
      {mayApprove ? (
        <CheckBox
          defaultChecked={chosen ? sent?.tick === value && mayStay : isSafe}
          // A tick is for what was read beside it.
          key={`${value} ${choices.map(({ number }) => number).join()}`}
          label={<OfFile name={name} text={t(isSafe ? 'include' : 'compared')} />}
          name={`tick-${id}`}
          value={value}
        />
      ) : null}
      <details className="desk-more" open={!mayApprove || isUnknown || undefined}>
        <summary>{t(choices.length === 0 ? 'type' : 'typeOther')}</summary>
        <TextField
          autoCapitalize="characters"
          autoComplete="off"
          className="mt-2"
          defaultValue={isUnknown ? sent?.typed : undefined}
          error={isUnknown ? t('desk:error.unknown_number') : undefined}
          hint={t('numberHint')}
          label={t('number')}
          latin
          mono
          name={`number-${id}`}
          spellCheck={false}
        />
      </details>
    </li>
  );
}

const BESIDE_PICTURE = 'grid grid-cols-1 gap-4 wide:grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)]';

/** An application beside the PDF; of several with a button to choose it. */
function Choice({
  id,
  choice,
  isOnly,
  isChosen,
}: {
  id: string;
  choice: PdfChoice;
  isOnly: boolean;
  isChosen: boolean;
}) {
  const { t } = useTranslation('pdfs');
  const { number, name, status, obstacle, comparison, duplicates } = choice;
  const claimed = useErrorText(obstacle?.code === 'claimed' ? obstacle : null);
  const radio = `application-${id}-${number}`;
  return (
    <div className="grid grid-cols-1 gap-2">
      <input name={`seen-${number}`} type="hidden" value={status} />
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {isOnly ? null : (
          <input
            className="radio"
            defaultChecked={isChosen}
            disabled={obstacle !== null}
            id={radio}
            name={`application-${id}`}
            type="radio"
            value={number}
          />
        )}
        {isOnly ? (
          <bdi className="font-semibold">{name}</bdi>
        ) : (
          <label className="font-semibold" htmlFor={radio}>
            <bdi>{name}</bdi>
          </label>
        )}
        <a
          className="text-fine"
          href={`/admin/applications/${number}`}
          rel="noopener"
          target="_blank"
        >
          <NumberCode value={number} />
        </a>
        <ApplicationStatusTag status={status} />
      </p>
      {obstacle ? (
        <p className="font-semibold text-error">
          {obstacle.code === 'claimed' ? claimed : t(`obstacle.${obstacle.code}`)}
        </p>
      ) : null}
      <PdfCard comparison={comparison} duplicates={duplicates} />
    </div>
  );
}

/** A text that says to screen readers of which file it is. In one piece, as they read a gap before the colon. */
function OfFile({ text, name }: { text: string; name: string }) {
  return (
    <>
      <span aria-hidden>{text}</span>
      <span className="sr-only">{`${text}: ${name}`}</span>
    </>
  );
}
