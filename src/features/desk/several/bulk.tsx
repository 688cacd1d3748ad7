import { data, Form, useNavigation } from 'react-router';
import { DAY_MS, formatDate, typedDate } from '~/base/dates/dates.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import { may } from '~/features/staff/roles.ts';
import { cachedActiveStaff } from '~/features/staff/store.server.ts';
import { formText } from '~/platform/input/form-text.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { Button } from '~/ui/button.tsx';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { FormHead } from '~/ui/fields/error-summary.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { TextArea } from '~/ui/fields/text-field.tsx';
import { Link } from '~/ui/page/link.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { AssignFields, PutOffFields } from '../application/decision-fields.tsx';
import { actionRules, refusedField } from '../application/case-actions.ts';
import { useErrorText } from '../application/error-text.tsx';
import { ASSIGNED_MS } from '../application/note.ts';
import { PUT_OFF_HOURS, putOffEnds, putOffFields, putOffReasons } from '../application/put-off.ts';
import { undoCookie } from '../application/undo-record.server.ts';
import { DeskPage } from '../frame/desk-page.tsx';
import { EntriesTable, type EntryColumn } from '../frame/lists.tsx';
import { Actions, UpLink } from '../frame/panel.tsx';
import { listQuery } from '../queue/list-filter.ts';
import {
  BULK_PAGE,
  bulkActionNames,
  bulkActions,
  CHOSEN,
  CONFIRMED,
  MAX_CHOSEN,
  MAX_TABLE_LENGTH,
  TABLE,
  type BulkAction,
  type LineError,
} from './bulk-actions.ts';
import {
  actOnBulk,
  planBulk,
  textsOf,
  undoTogether,
  type BulkPlan,
  type PlannedCase,
} from './bulk.server.ts';
import type { SeveralOutcome } from './decide-several.server.ts';
import { SeveralOutcomes } from './several-outcomes.tsx';
import type { Route } from './+types/bulk.ts';

type Answer = BulkPlan & {
  /** Epoch milliseconds: tells one answer from another. */
  at: number;
  /** Null: decisions were undone. */
  action: BulkAction | null;
  step: 'form' | 'confirm' | 'done';
  typed: Readonly<Record<string, string>>;
  outcomes: SeveralOutcome[];
};

/** What a link opens: the table that is handed in. */
const FIRST: Answer = {
  at: 0,
  action: 'hand_in',
  step: 'form',
  chosen: [],
  problem: null,
  planned: [],
  typed: {},
  outcomes: [],
};

export async function loader({ request, context }: Route.LoaderArgs) {
  const { staff, platform } = await requireDesk({ request, context });
  return { viewer: { id: staff.id }, colleagues: await cachedActiveStaff(platform.db) };
}

/**
 * The list sends what is chosen in it, and for what; then follow what is to be said for all, what will be done for whom,
 * and what was. Nothing is done before the last step.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const { staff, platform, record } = await requireDesk({ request, context });
  const form = await readForm({ request, context });
  const intent = formText(form, 'intent');
  const typed = textsOf(form);
  const answer = (given: Partial<Answer>, status = 200, headers: Record<string, string> = {}) =>
    data<Answer>({ ...FIRST, at: platform.now().getTime(), typed, ...given }, { status, headers });
  if (intent === 'undo') {
    const ids = form.getAll('decision').filter((one) => typeof one === 'string');
    const outcomes = await undoTogether(platform, staff, ids);
    return answer({ action: null, step: 'done', outcomes });
  }
  const wanted = bulkActionNames.find((one) => one === intent);
  if (!wanted) return answer({}, 422);
  const asked = { action: wanted, form };
  const { right, undoable } = actionRules(bulkActions[wanted]);
  if (!may(staff.role, right)) throw data(null, { status: 403 });
  const step = formText(form, 'step');
  if (step === 'do') {
    const { outcomes, ...rest } = await actOnBulk(platform, staff, asked);
    if (rest.problem) return answer({ ...rest, action: wanted }, 422);
    const isDone = undoable && outcomes.some((one) => 'done' in one);
    const headers = isDone ? undoCookie(platform, staff) : {};
    return answer({ action: wanted, step: 'done', outcomes }, 200, headers);
  }
  const plan = await planBulk(platform, staff, asked);
  await record('applications_listed', ['queue', 'bulk'], {
    count: Math.max(plan.chosen.length, plan.planned.length),
    searched: false,
  });
  // A reminder has nothing to be filled in.
  const isChecked = step === 'check' || (step === '' && wanted === 'remind');
  if (isChecked && !plan.problem) return answer({ ...plan, action: wanted, step: 'confirm' });
  const code = plan.problem?.code;
  const isSeen =
    isChecked || code === 'too_many' || (code === 'none_chosen' && wanted !== 'hand_in');
  const problem = isSeen ? plan.problem : null;
  return answer({ ...plan, action: wanted, problem }, problem ? 422 : 200);
}

export default function BulkPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('decision');
  const answer = actionData ?? FIRST;
  const { action, step, at, outcomes, typed } = answer;
  const title = t(`bulk.title.${action ?? 'undo'}`);
  const problem = useProblemText(answer);
  return (
    <DeskPage>
      <FormHead problems={problem ? [problem] : []} title={`${title} – Lale`} />
      <UpLink to={`/admin${listQuery(typed.list ?? '')}`}>{t('bulk.back')}</UpLink>
      <h1>{title}</h1>
      {step === 'done' || action === null ? (
        <SeveralOutcomes outcomes={outcomes} />
      ) : (
        <Form
          action={BULK_PAGE}
          className="mt-4 grid max-w-[900px] grid-cols-1 gap-4"
          // Made anew with each answer: fields take their values only as they are made.
          key={at}
          method="post"
        >
          <input name="intent" type="hidden" value={action} />
          {step === 'confirm' ? (
            <Confirmation action={action} answer={answer} colleagues={loaderData.colleagues} />
          ) : (
            <Fields action={action} answer={answer} error={problem} {...loaderData} />
          )}
        </Form>
      )}
    </DeskPage>
  );
}

type FoundProblem = { name: string | null; message: string };

/** What is wrong with the form, and its field. */
function useProblemText({ action, problem, typed }: Answer): FoundProblem | null {
  const { t } = useTranslation('decision');
  const error = problem?.code === 'typed' ? problem.error : null;
  const text = useErrorText(error);
  if (!problem || !action) return null;
  if (error) {
    const about = { action: bulkActions[action], about: '', error, typed };
    return { name: refusedField(about), message: text ?? '' };
  }
  const name = action === 'hand_in' ? TABLE : null;
  if (problem.code === 'lines') return { name, message: t('bulk.lines') };
  if (problem.code === 'too_many')
    return { name, message: t('bulk.tooMany', { most: MAX_CHOSEN }) };
  return { name, message: t(action === 'hand_in' ? 'bulk.noneInTable' : 'bulk.noneChosen') };
}

type Colleagues = Route.ComponentProps['loaderData']['colleagues'];

/** What is said for all, and of whom. */
function Fields({
  action,
  answer: { chosen, problem, typed },
  error,
  colleagues,
  viewer,
}: {
  action: BulkAction;
  answer: Answer;
  error: FoundProblem | null;
  colleagues: Colleagues;
  viewer: { id: string };
}) {
  const { t } = useTranslation('decision');
  const errorAt = (name: string) => (error?.name === name ? error.message : null);
  const isTable = action === 'hand_in';
  const hasWork = isTable || chosen.length > 0;
  return (
    <>
      <Kept names={['list']} typed={typed} />
      {isTable ? (
        <TextArea
          autoComplete="off"
          defaultValue={typed[TABLE] ?? chosen.map(({ number }) => `${number}\t\n`).join('')}
          error={problem?.code === 'lines' ? <Lines lines={problem.lines} /> : errorAt(TABLE)}
          hint={t('bulk.tableHint', { most: MAX_CHOSEN })}
          label={t('bulk.table')}
          latin
          maxLength={MAX_TABLE_LENGTH}
          mono
          name={TABLE}
          rows={12}
          spellCheck={false}
          wrap="off"
        />
      ) : null}
      {action === 'assign' && hasWork ? (
        <div className="grid max-w-[560px] grid-cols-1 gap-2.5">
          <AssignFields
            colleagues={colleagues}
            error={errorAt('colleague')}
            typed={typed}
            viewer={viewer}
          />
        </div>
      ) : null}
      {action === 'put_off' && hasWork ? (
        <div className="grid max-w-[560px] grid-cols-1 gap-2.5">
          <PutOffFields errorAt={errorAt} typed={typed} />
        </div>
      ) : null}
      {chosen.length > 0 && !isTable ? (
        <fieldset>
          <legend className="font-semibold">{t('bulk.chosen')}</legend>
          <div className="grid grid-cols-[repeat(auto-fill,minmax(min(17rem,100%),1fr))] gap-x-4">
            {chosen.map(({ number, name }) => (
              <CheckBox
                defaultChecked
                id={`chosen-${number}`}
                key={number}
                label={
                  <>
                    <bdi>{name}</bdi> <NumberCode value={number} />
                  </>
                }
                name={CHOSEN}
                value={number}
              />
            ))}
          </div>
        </fieldset>
      ) : (
        <Numbers name={CHOSEN} of={chosen} />
      )}
      {hasWork ? (
        <Actions>
          <Button name="step" small value="check">
            {t('bulk.continue')}
          </Button>
        </Actions>
      ) : null}
    </>
  );
}

/** The lines of the table that are wrong, each as it was pasted. */
function Lines({ lines }: { lines: readonly LineError[] }) {
  const { t } = useTranslation('decision');
  return (
    <>
      {lines.map(({ line, text, code, first = 0 }) => (
        <span className="block wrap-anywhere" data-testid="line-error" key={line}>
          {t('bulk.line.at', { line })}{' '}
          <bdi className="mono" dir="ltr">
            {text}
          </bdi>
          {' – '}
          {t(`bulk.line.${code}`, { first })}
        </span>
      ))}
    </>
  );
}

/** The fields whose values go along from step to step. */
const Kept = ({
  typed,
  names,
}: {
  typed: Readonly<Record<string, string>>;
  names: readonly string[];
}) => names.map((name) => <input key={name} name={name} type="hidden" value={typed[name] ?? ''} />);

const Numbers = ({ name, of }: { name: string; of: readonly { number: string }[] }) =>
  of.map(({ number }) => <input key={number} name={name} type="hidden" value={number} />);

/** For whom something will be done, for whom not and why; the button does it. */
function Confirmation({
  action,
  answer: { chosen, planned, typed },
  colleagues,
}: {
  action: BulkAction;
  answer: Answer;
  colleagues: Colleagues;
}) {
  const { t } = useTranslation(['decision', 'desk']);
  const isBusy = useNavigation().state === 'submitting';
  const will = planned.filter(({ error }) => error === null);
  const not = planned.filter(({ error }) => error !== null);
  const kept = Object.keys(typed).filter(
    (name) => !['intent', 'step', CHOSEN, CONFIRMED].includes(name),
  );
  return (
    <>
      <Kept names={kept} typed={typed} />
      <Numbers name={CHOSEN} of={chosen} />
      <Numbers name={CONFIRMED} of={will} />
      <div className="max-w-[70ch]">
        <Said action={action} colleagues={colleagues} typed={typed} />
      </div>
      {will.length > 0 ? (
        <section className="grid grid-cols-1 gap-1" data-testid="will">
          <h2>{t('bulk.will', { figure: will.length })}</h2>
          <PlannedTable action={action} planned={will} />
        </section>
      ) : null}
      {not.length > 0 ? (
        <section className="grid grid-cols-1 gap-1" data-testid="will-not">
          <h2>{t('bulk.not', { figure: not.length })}</h2>
          <PlannedTable action={null} planned={not} />
        </section>
      ) : null}
      <div className="bottom-(--desk-messages-size) flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line bg-paper py-3.5 wide:sticky">
        {will.length > 0 ? (
          <Button busy={isBusy} name="step" small value="do">
            {t(`bulk.do.${action}`)}
          </Button>
        ) : null}
        <Button look="secondary" name="step" small value="edit">
          {t('bulk.change')}
        </Button>
      </div>
    </>
  );
}

/** What was said for all. */
function Said({
  action,
  typed,
  colleagues,
}: {
  action: BulkAction;
  typed: Readonly<Record<string, string>>;
  colleagues: Colleagues;
}) {
  const { t, language } = useTranslation(['decision', 'desk', 'for-you']);
  switch (action) {
    case 'hand_in':
      return <p>{t('bulk.handInNote')}</p>;
    case 'remind':
      return <p>{t('bulk.remindNote')}</p>;
    case 'assign':
      return (
        <>
          <Fact term={t('for-you:assign.to')}>
            {colleagues.find(({ id }) => id === typed.colleague)?.name}
          </Fact>
          <Fact term={t('for-you:assign.note')}>{typed.assignNote}</Fact>
          <p>{t('for-you:assign.lead', { days: ASSIGNED_MS / DAY_MS })}</p>
        </>
      );
    case 'put_off': {
      const reason = putOffReasons.find((one) => one === typed[putOffFields.reason]) ?? 'later';
      const end = putOffEnds.find((one) => one === typed[putOffFields.end]) ?? 'hours';
      const day = end === 'day' ? typedDate(typed, putOffFields.day) : null;
      return (
        <>
          <Fact term={t('desk:putOff.why')}>
            {reason === 'other' ? typed[putOffFields.words] : t(`desk:putOff.reason.${reason}`)}
          </Fact>
          <Fact term={t('desk:putOff.until')}>
            {day
              ? formatDate(day, language)
              : t(`desk:putOff.end.${end}`, { count: PUT_OFF_HOURS })}
          </Fact>
          <p>{t('desk:putOff.lead')}</p>
        </>
      );
    }
  }
}

const Fact = ({ term, children }: { term: string; children: string | undefined }) =>
  children ? (
    <p>
      {`${term}: `}
      <bdi className="font-semibold">{children}</bdi>
    </p>
  ) : null;

/** `action`: what will be done; null says why it will not. */
function PlannedTable({
  action,
  planned,
}: {
  action: BulkAction | null;
  planned: readonly PlannedCase[];
}) {
  const { t } = useTranslation(['decision', 'desk']);
  const last: Record<BulkAction, EntryColumn<PlannedCase>[]> = {
    hand_in: [
      {
        head: t('desk:authority.reference'),
        isLabelled: true,
        render: ({ reference }) =>
          reference === '' ? (
            t('desk:authority.none')
          ) : (
            <bdi className="mono wrap-anywhere" dir="ltr">
              {reference}
            </bdi>
          ),
      },
    ],
    remind: [{ head: t('bulk.asked'), render: ({ asks }) => asks && t(`bulk.asks.${asks}`) }],
    assign: [],
    put_off: [],
  };
  return (
    <EntriesTable<PlannedCase>
      columns={[
        {
          head: t('desk:queue.applicant'),
          isRowName: true,
          className: 'wrap-anywhere',
          render: ({ name }) => <bdi className="font-semibold">{name}</bdi>,
        },
        {
          head: t('desk:queue.number'),
          render: ({ number }) => (
            <Link className="desk-link" to={`/admin/applications/${number}`}>
              <NumberCode value={number} />
            </Link>
          ),
        },
        ...(action
          ? last[action]
          : [
              {
                head: t('bulk.why'),
                className: 'max-wide:col-span-full',
                render: ({ error }: PlannedCase) => <Why error={error} />,
              },
            ]),
      ]}
      entries={planned}
      rowOf={({ number }) => ({ key: number })}
    />
  );
}

const Why = ({ error }: Pick<PlannedCase, 'error'>) => useErrorText(error);
