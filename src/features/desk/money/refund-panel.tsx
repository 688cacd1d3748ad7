import type { RefundProgress } from '~/features/payment/refund-machine.ts';
import { StatusTag, type StatusTone } from '~/ui/status-tag.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from 'react-router';
import { formatMoney, toDecimal } from '~/base/money.ts';
import { byTraveller } from '~/features/application/travellers.ts';
import { staffRefundCauses } from '~/features/order/refund-policy.ts';
import {
  MAX_REFUND_NOTE_LENGTH,
  type ChosenLine,
} from '~/features/order/refunds/refund-proposal.ts';
import { Button } from '~/ui/button.tsx';
import { Notice } from '~/ui/notice.tsx';
import { SelectField } from '~/ui/fields/select-field.tsx';
import { TextArea, TextField } from '~/ui/fields/text-field.tsx';
import { Panel, PanelBody, PanelHead } from '../frame/panel.tsx';
import { readMinute, writeMinute } from '../frame/days.tsx';
import type { OrderView, RefundFormState, RefundProblem } from './order.server.ts';
import type { ReactNode } from 'react';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { FieldSet } from '~/ui/fields/field-set.tsx';

const tones: Record<RefundProgress, StatusTone> = {
  held: 'amber',
  requested: 'blue',
  sent: 'blue',
  pending: 'blue',
  completed: 'green',
  failed: 'red',
  withdrawn: 'neutral',
};

/** The state of a refund's money. */
export function RefundTag({ state }: { state: RefundProgress }) {
  const { t } = useTranslation('refund');
  return <StatusTag tone={tones[state]}>{t(`state.${state}`)}</StatusTag>;
}

/** Three steps, each a page of its own without scripts: the cause, the amounts, the confirmation. */
export function RefundPanel({ order, state }: { order: OrderView; state: RefundFormState }) {
  const { t } = useTranslation('refund');
  return (
    <Panel id="refund" labelledBy="refund-title">
      <PanelHead>
        <h2 id="refund-title">{t('form.title')}</h2>
      </PanelHead>
      <PanelBody>
        {order.paidAt === null ? (
          <p className="text-ink-2">{t('form.unpaid')}</p>
        ) : order.left.minor === 0 ? (
          <p className="text-ink-2">{t('form.nothingLeft')}</p>
        ) : state.confirm ? (
          <Confirmation order={order} state={state} />
        ) : (
          <>
            <Choice order={order} state={state} />
            {state.lines ? <Amounts order={order} state={state} /> : null}
          </>
        )}
      </PanelBody>
    </Panel>
  );
}

function Problem({ problem }: { problem: RefundProblem | null }) {
  const { t } = useTranslation('refund');
  if (!problem) return null;
  return (
    <Notice role="alert" title={t('error.title')} tone="red">
      {t(`error.${problem.code}`, { limit: MAX_REFUND_NOTE_LENGTH })}
    </Notice>
  );
}

function Choice({ order, state }: { order: OrderView; state: RefundFormState }) {
  const { t, language } = useTranslation('refund');
  const { choice } = state;
  const problem = state.problem?.step === 'choice' ? state.problem : null;
  const asked = readMinute(choice.asked);
  // A missed promise is offered as cause only where a promised moment has passed.
  const isMissed = order.applications.some(({ missed }) => missed);
  const bought = order.applications.filter(({ hasLeft }) => !hasLeft);
  const offered = staffRefundCauses.filter((code) => code !== 'missed_promise' || isMissed);
  return (
    <Form action="#refund" className="grid grid-cols-1 gap-4" method="get" preventScrollReset>
      <Problem problem={problem} />
      <SelectField
        defaultValue={choice.cause}
        emptyLabel={t('form.causeEmpty')}
        hint={t('form.causeHint')}
        label={t('form.cause')}
        name="cause"
        options={offered.map((code) => ({ value: code, label: t(`cause.${code}`) }))}
        required
        width="full"
      />
      <TextField
        autoComplete="off"
        defaultValue={asked ? writeMinute(asked, language) : choice.asked}
        error={problem?.code.startsWith('asked') ? t(`error.${problem.code}`) : undefined}
        hint={t('form.askedHint')}
        label={t('form.asked')}
        maxLength={40}
        name="asked"
        width="full"
      />
      {bought.length > 1 ? (
        <RefundedApplications bought={bought} chosen={choice.applications} />
      ) : (
        <input name="app" type="hidden" value={bought[0]?.number} />
      )}
      <Button look={state.lines ? 'secondary' : 'primary'} small wide>
        {t('form.propose')}
      </Button>
    </Form>
  );
}

/** The choice in hidden fields, for the next steps. */
function ChoiceFields({ state: { choice } }: { state: RefundFormState }) {
  return (
    <>
      <input name="cause" type="hidden" value={choice.cause} />
      <input name="asked" type="hidden" value={choice.asked} />
      {choice.applications.map((number) => (
        <input key={number} name="app" type="hidden" value={number} />
      ))}
    </>
  );
}

function Amounts({ order, state }: { order: OrderView; state: RefundFormState }) {
  const { t, language } = useTranslation(['refund', 'desk']);
  const problem = state.problem?.step === 'amounts' ? state.problem : null;
  const total = (state.lines ?? []).reduce((sum, { proposed }) => sum + proposed.minor, 0);
  return (
    <Form
      className="grid grid-cols-1 gap-4 border-t border-line pt-5.5 [&>h3]:text-base"
      key={JSON.stringify(state.choice)}
      method="post"
      preventScrollReset
    >
      <ChoiceFields state={state} />
      <h3>{t('form.proposal')}</h3>
      {total === 0 ? <p className="text-ink-2">{t('form.policyNothing')}</p> : null}
      <Problem problem={problem && problem.lineId === null ? problem : null} />
      {(state.lines ?? []).map(({ line, proposed, amount, reason }) => {
        const left = { ...line.amount, minor: line.amount.minor - line.claimed.minor };
        return (
          <TextField
            after={
              order.applications.length > 1 ? (
                <p className="field-hint">
                  <bdi className="mono" dir="ltr">
                    {line.applicationNumber}
                  </bdi>{' '}
                  <bdi>{nameIn(order, line.applicationNumber)}</bdi>
                </p>
              ) : undefined
            }
            defaultValue={state.typed[line.id] ?? toDecimal(amount)}
            error={problem?.lineId === line.id ? t(`error.${problem.code}`) : undefined}
            hint={t('form.lineHint', {
              left: formatMoney(left, language),
              proposed: formatMoney(proposed, language),
              reason: t(`reason.${reason}`),
            })}
            inputMode="decimal"
            key={line.id}
            label={t('form.amount', { item: t(`desk:detail.line.${line.code}`, line.code) })}
            latin
            name={`amount-${line.id}`}
            width="full"
          />
        );
      })}
      <TextArea
        defaultValue={state.note}
        dir="auto"
        hint={t('form.noteHint')}
        label={t('form.note')}
        maxLength={MAX_REFUND_NOTE_LENGTH}
        name="note"
      />
      <Button name="intent" small value="check" wide>
        {t('form.check')}
      </Button>
    </Form>
  );
}

function Confirmation({ order, state }: { order: OrderView; state: RefundFormState }) {
  const { t, language } = useTranslation(['refund', 'desk']);
  const { confirm } = state;
  if (!confirm) return null;
  const isOfSeveral = byTraveller(order.applications).length > 1;
  const amount = formatMoney(confirm.total, language);
  return (
    <Form className="grid grid-cols-1 gap-4" id="refund-confirm" method="post" preventScrollReset>
      <ChoiceFields state={state} />
      <input name="refund" type="hidden" value={confirm.id} />
      <input name="note" type="hidden" value={state.note} />
      <Notice title={t('confirm.title', { amount })} tone={confirm.waits ? 'amber' : 'blue'}>
        {t(confirm.waits ? 'confirm.waits' : 'confirm.sent')}
      </Notice>
      {state.choice.cause ? <p>{t(`cause.${state.choice.cause}`)}</p> : null}
      <ul className="my-1 grid gap-1">
        {confirm.lines.map((line) => (
          <ConfirmedLine
            key={line.line.id}
            line={line}
            name={isOfSeveral ? nameIn(order, line.line.applicationNumber) : null}
          />
        ))}
      </ul>
      {state.note ? (
        <p className="whitespace-pre-line text-ink">
          {`${t('refunds.note')}: `}
          <bdi>{state.note}</bdi>
        </p>
      ) : null}
      {confirm.endsCover ? <p>{t('confirm.endsCover')}</p> : null}
      <Button name="intent" small value="open" wide>
        {t(confirm.waits ? 'confirm.ask' : 'confirm.open', { amount })}
      </Button>
      <Button look="plain" name="intent" small value="edit" wide>
        {t('confirm.change')}
      </Button>
    </Form>
  );
}

const nameIn = ({ applications }: OrderView, asked: string): string =>
  applications.find(({ number }) => number === asked)?.name ?? '';

function ConfirmedLine({
  line: { line, amount, reason },
  name,
}: {
  line: ChosenLine;
  /** The traveller's name, in an order of several. */
  name: string | null;
}) {
  const { t, language } = useTranslation(['refund', 'desk']);
  return (
    <li>
      <input name={`amount-${line.id}`} type="hidden" value={toDecimal(amount)} />
      {t('refunds.line', {
        item: t(`desk:detail.line.${line.code}`, line.code),
        amount: formatMoney(amount, language),
        reason: t(`reason.${reason}`),
      })}
      {name === null ? null : (
        <>
          {' · '}
          <bdi>{name}</bdi>
        </>
      )}
    </li>
  );
}

type Bought = OrderView['applications'];

/** Chooses what is to be refunded: all of a traveller, or single applications. */
function RefundedApplications({
  bought,
  chosen,
}: {
  bought: Bought;
  /** Numbers. */
  chosen: readonly string[];
}) {
  const { t } = useTranslation('refund');
  const travellers = byTraveller(bought);
  return (
    <FieldSet label={t(travellers.length > 1 ? 'form.travellers' : 'form.applications')} name="app">
      {travellers.length > 1
        ? travellers.map(({ position, applications }) => (
            <TravellerChoice applications={applications} chosen={chosen} key={position} />
          ))
        : bought.map((one) => (
            <ApplicationChoice checked={chosen.includes(one.number)} key={one.number} one={one} />
          ))}
    </FieldSet>
  );
}

function TravellerChoice({
  applications,
  chosen,
}: {
  applications: Bought;
  chosen: readonly string[];
}) {
  const { t } = useTranslation('refund');
  const [first, ...others] = applications;
  if (!first) return null;
  const position = first.travellerPosition;
  const isWhole = applications.every(({ number }) => chosen.includes(number));
  if (others.length === 0) return <ApplicationChoice checked={isWhole} one={first} />;
  return (
    <div>
      <ApplicationBox checked={isWhole} name="traveller" value={String(position)}>
        <bdi>{first.name}</bdi>, {t('form.whole')}
      </ApplicationBox>
      <div className="ps-9">
        {applications.map(({ number, kind }) => (
          <ApplicationBox
            checked={!isWhole && chosen.includes(number)}
            key={number}
            name="app"
            value={number}
          >
            {t(`form.only.${kind}`)}{' '}
            <bdi className="mono" dir="ltr">
              {number}
            </bdi>
          </ApplicationBox>
        ))}
      </div>
    </div>
  );
}

const ApplicationChoice = ({ checked, one }: { checked: boolean; one: Bought[number] }) => (
  <ApplicationBox checked={checked} name="app" value={one.number}>
    <bdi>{one.name}</bdi>{' '}
    <bdi className="mono" dir="ltr">
      {one.number}
    </bdi>
  </ApplicationBox>
);

const ApplicationBox = ({
  checked,
  children,
  ...box
}: {
  checked: boolean;
  children: ReactNode;
  name: string;
  value: string;
}) => (
  <CheckBox
    {...box}
    defaultChecked={checked}
    id={`refund-${box.name}-${box.value}`}
    label={children}
  />
);
