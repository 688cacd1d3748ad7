import { FactMarks } from '../application/drop-zone.tsx';
import { data, type RouterContextProvider, Form, useLocation, useNavigation } from 'react-router';
import { isUuid } from '~/base/uuid.ts';
import { undoCookie } from '../application/undo-record.server.ts';
import { DeskPage } from '../frame/desk-page.tsx';
import { formText } from '~/platform/input/form-text.ts';
import { approveTicked, chooseTyped, type SeveralOutcome } from './decide-several.server.ts';
import { SeveralOutcomes } from './several-outcomes.tsx';
import { ownBatch } from './batch.server.ts';
import {
  openBatchView,
  type BatchView,
  type BatchFileView,
  type FileChoice,
  type ShownMatch,
} from './batch-view.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { PRIVATE_PAGE, languageContext, platformContext } from '~/platform/http/request.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { Route } from './+types/pdf-batch.ts';
import { Button } from '~/ui/button.tsx';
import { Notice } from '~/ui/notice.tsx';
import { Link } from '~/ui/page/link.tsx';
import { MAX_BATCH_FILES, MAX_PDF_MEGABYTES } from '../application/pdf-rules.ts';
import { Unsent, readUnsentCount } from './pdf-drop.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { useErrorText } from '../application/error-text.tsx';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { RadioList } from '~/ui/fields/radio-list.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import { Icon } from '~/ui/icon.tsx';
import { StatusTag, type StatusTone } from '~/ui/status-tag.tsx';
import { ApplicationStatusTag } from '../frame/queue-row-state.tsx';

const tones: Record<ShownMatch, StatusTone> = {
  exact: 'green',
  likely: 'amber',
  several: 'amber',
  nothing: 'red',
  chosen: 'blue',
};

/** A file of a batch: its name, what it matches and why, and the box that includes it. */
function BatchRow({ batch, file }: { batch: string; file: BatchFileView }) {
  const { t } = useTranslation(['pdf-batch', 'desk']);
  const isFault = file.kind === 'fault';
  return (
    <li
      aria-label={file.name}
      className="grid grid-cols-1 gap-3 rounded-card border border-line bg-paper p-4"
      data-testid="batch-file"
    >
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 className="min-w-0 text-base wrap-anywhere">
          <bdi>{file.name}</bdi>
        </h2>
        {file.kind === 'waiting' ? (
          <StatusTag tone={tones[file.match]}>{t(`match.${file.match}`)}</StatusTag>
        ) : null}
        {file.kind === 'used' ? <StatusTag tone="green">{t('match.used')}</StatusTag> : null}
        {isFault ? <StatusTag tone="red">{t('match.fault')}</StatusTag> : null}
        {isFault ? null : (
          <a
            className="ms-auto text-fine"
            href={`/admin/pdfs/${batch}/${file.id}`}
            rel="noopener"
            target="_blank"
          >
            <OfFile name={file.name} text={t('open')} />
          </a>
        )}
      </div>
      {isFault ? (
        <p className="text-error">
          {file.fault === 'same_file'
            ? t('sameFile')
            : t(`desk:error.${file.fault}`, { megabytes: MAX_PDF_MEGABYTES })}
        </p>
      ) : null}
      {file.kind === 'used' && file.number !== '' ? (
        <p>
          <a href={`/admin/applications/${file.number}`}>
            <bdi>{file.applicant}</bdi>
          </a>{' '}
          <span className="text-fine">
            <NumberCode value={file.number} />
          </span>
        </p>
      ) : null}
      {file.kind === 'waiting' ? <Waiting file={file} /> : null}
    </li>
  );
}

type WaitingFile = Extract<BatchFileView, { kind: 'waiting' }>;

function Waiting({ file }: { file: WaitingFile }) {
  const { t } = useTranslation(['pdf-batch', 'decision']);
  const { id, choices, match, hasText, isSafe } = file;
  const [only] = choices;
  const name = `application-${id}`;
  const isBlocked = choices.every(({ obstacle }) => obstacle !== null);
  return (
    <>
      {hasText ? null : (
        <p className="flex gap-1.5 text-ink-2">
          <Icon name="info" />
          <span>
            {t(choices.length > 0 && match !== 'chosen' ? 'byName' : 'decision:compare.unread')}
          </span>
        </p>
      )}
      {choices.map(({ number, status }) => (
        <input key={number} name={`seen-${number}`} type="hidden" value={status} />
      ))}
      {choices.length === 1 && only ? (
        <>
          <input name={name} type="hidden" value={only.number} />
          <ChoiceFacts choice={only} hasText={hasText} />
        </>
      ) : null}
      {choices.length > 1 ? (
        <RadioList
          label={t('which')}
          name={name}
          options={choices.map((choice) => ({
            value: choice.number,
            label: <ChoiceFacts choice={choice} hasText={hasText} />,
            disabled: choice.obstacle !== null,
          }))}
        />
      ) : null}
      {choices.length > 0 && !isBlocked ? (
        <CheckBox
          defaultChecked={isSafe}
          label={<OfFile name={file.name} text={t(isSafe ? 'include' : 'compared')} />}
          name={`tick-${id}`}
          value={isSafe ? 'yes' : 'compared'}
        />
      ) : null}
      <details className="desk-more" open={choices.length === 0 || isBlocked || undefined}>
        <summary>{t(choices.length === 0 ? 'type' : 'typeOther')}</summary>
        <TextField
          autoCapitalize="characters"
          autoComplete="off"
          className="mt-2"
          hint={t('numberHint')}
          label={t('number')}
          latin
          mono
          name={`number-${id}`}
          spellCheck={false}
        />
      </details>
    </>
  );
}

/** An application, and what of it was found; of a file without text only what its name says. */
function ChoiceFacts({ choice, hasText }: { choice: FileChoice; hasText: boolean }) {
  const { t } = useTranslation('pdf-batch');
  const { number, name, country, passport, status, found, obstacle, usedFor, hasDuplicate } =
    choice;
  const claimed = useErrorText(obstacle?.code === 'claimed' ? obstacle : null);
  const extra = [
    found.passportNumber === 'name' ? t('inName.passport') : null,
    found.number === null ? null : t(found.number === 'text' ? 'numberInPdf' : 'inName.number'),
  ].filter((one) => one !== null);
  return (
    <span className="grid grid-cols-1 gap-1">
      <span className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <a href={`/admin/applications/${number}`} rel="noopener" target="_blank">
          <bdi className="font-semibold">{name}</bdi>
        </a>
        <span className="text-fine">
          <NumberCode value={number} />
        </span>
        <ApplicationStatusTag status={status} />
      </span>
      <span className="text-fine text-ink-2">
        {country} · <bdi className="mono">{passport}</bdi>
      </span>
      <span className="flex flex-wrap gap-x-3 gap-y-0.5 text-fine">
        {hasText ? (
          <FactMarks match={{ ...found, passportNumber: found.passportNumber === 'text' }} />
        ) : null}
        {extra.map((label) => (
          <span className="flex items-center gap-1 text-green" key={label}>
            <Icon name="check" />
            {label}
          </span>
        ))}
      </span>
      {usedFor.length > 0 ? (
        <span className="text-fine font-semibold text-error">
          {t('usedFor', { numbers: usedFor.join(', ') })}
        </span>
      ) : null}
      {hasDuplicate ? (
        <span className="text-fine font-semibold text-amber">{t('duplicate')}</span>
      ) : null}
      {obstacle ? (
        <span className="font-semibold text-error">
          {obstacle.code === 'claimed' ? claimed : t(`obstacle.${obstacle.code}`)}
        </span>
      ) : null}
    </span>
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

type Answer = { outcomes: SeveralOutcome[]; isNone: boolean };

/** The files of a batch, each with the application it may be for, and one button that approves what is ticked. */
function BatchForm({ view, answer }: { view: BatchView; answer: Answer | null }) {
  const { t } = useTranslation('pdf-batch');
  const navigation = useNavigation();
  const unsent = readUnsentCount(useLocation().state);
  const waiting = view.files.filter(({ kind }) => kind === 'waiting');
  const isBusy = navigation.state === 'submitting';
  return (
    <>
      <h1>{t('check')}</h1>
      <p className="mt-1 max-w-[70ch] text-ink-2">{t('checkLead')}</p>
      {answer ? <BatchOutcomes {...answer} /> : null}
      <Unsent names={unsent} />
      {view.leftOut > 0 ? (
        <Notice className="mt-3" tone="amber">
          {t('leftOut', { files: view.leftOut, most: MAX_BATCH_FILES })}
        </Notice>
      ) : null}
      <Form
        className="mt-4 grid max-w-[900px] grid-cols-1 gap-4"
        // Made anew with each answer: boxes take their ticks only as they are made.
        key={`${JSON.stringify(answer?.outcomes ?? null)} ${view.files.map((one) => one.kind).join()}`}
        method="post"
        preventScrollReset
      >
        {/* The first button is the one that the return key presses: it approves nothing. */}
        <button aria-hidden className="hidden" name="intent" tabIndex={-1} value="find_files" />
        <ul className="grid grid-cols-1 gap-4">
          {view.files.map((file) => (
            <BatchRow batch={view.id} file={file} key={file.id} />
          ))}
        </ul>
        {waiting.length > 0 ? (
          <div className="flex flex-wrap items-center gap-3 border-t border-line pt-4">
            <Button busy={isBusy} name="intent" small value="approve_files">
              {t('approve')}
            </Button>
            <Button look="secondary" name="intent" small value="find_files">
              {t('find')}
            </Button>
            <p className="basis-full text-fine text-ink-2">{t('approveHint')}</p>
          </div>
        ) : null}
      </Form>
      <p className="mt-4">
        <Link to="/admin/pdfs">{t('more')}</Link>
      </p>
    </>
  );
}

/** What happened to each ticked file. */
function BatchOutcomes({
  outcomes,
  isNone,
}: {
  outcomes: readonly SeveralOutcome[];
  isNone: boolean;
}) {
  const { t } = useTranslation(['pdf-batch', 'desk']);
  if (isNone) {
    return (
      <Notice className="mt-3" role="alert" tone="red">
        {t('noneTicked')}
      </Notice>
    );
  }
  const done = outcomes.filter((one) => 'done' in one).length;
  const title = done > 0 ? t('approved', { done, total: outcomes.length }) : t('desk:error.title');
  return <SeveralOutcomes outcomes={outcomes} title={title} />;
}

type PageRequest = { request: Request; context: Readonly<RouterContextProvider> };

/** The batch at an address, for the person who made it. */
async function batchAt({ request, context }: PageRequest, { id }: { id: string }) {
  const staff = await requireStaff({ request, context }, 'approve');
  const { db } = context.get(platformContext);
  const batch = isUuid(id) ? await ownBatch(db, { id, staffId: staff.id }) : null;
  if (!batch) throw data(null, { status: 404 });
  return { staff, batch };
}

/** The files of a batch beside the applications that they may be for. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { staff, batch } = await batchAt({ request, context }, params);
  const platform = context.get(platformContext);
  const language = context.get(languageContext);
  const view = await openBatchView(platform, staff, batch, language);
  return { view };
}

/** Stores typed numbers; with `approve` approves what is ticked. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const { staff, batch } = await batchAt({ request, context }, params);
  const platform = context.get(platformContext);
  const language = context.get(languageContext);
  const form = await readForm({ request, context });
  if (formText(form, 'intent') !== 'approve_files') {
    const { outcomes } = await chooseTyped(platform, batch, form);
    return data({ outcomes, isNone: false }, { headers: PRIVATE_PAGE });
  }
  const outcomes = await approveTicked(platform, staff, { batch, form, language });
  const decided = outcomes.some((one) => 'done' in one) ? undoCookie(platform, staff) : {};
  return data(
    { outcomes, isNone: outcomes.length === 0 },
    { headers: { ...PRIVATE_PAGE, ...decided } },
  );
}

export default function PdfBatchPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('pdf-batch');
  const { view } = loaderData;
  return (
    <DeskPage>
      <title>{`${t('check')} – Lale`}</title>
      <BatchForm answer={actionData ?? null} view={view} />
    </DeskPage>
  );
}
