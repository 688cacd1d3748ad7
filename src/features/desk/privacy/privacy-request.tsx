import { redirect, data, Form } from 'react-router';
import { isUuid } from '~/base/uuid.ts';
import { caseById } from './case-store.server.ts';
import { closeCase, eraseForCase, recordIdentity } from './cases.server.ts';
import {
  PrivacyFrame,
  useFields,
  typedTexts,
  readCompletedAction,
  DaysLeft,
  GroupCounts,
  type PrivacyAnswer,
} from './privacy-frame.tsx';
import {
  currentChoices,
  parseChosenIds,
  requestView,
  type RequestView,
} from './requests-view.server.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { Route } from './+types/privacy-request.ts';
import type { ReactNode } from 'react';
import { formatLanguage, formatCount } from '../frame/formats.ts';
import { outcomes, MAX_PRIVACY_ANSWER_LENGTH, identityChecks } from './privacy-case.ts';
import { Button } from '~/ui/button.tsx';
import { RadioList } from '~/ui/fields/radio-list.tsx';
import { TextArea } from '~/ui/fields/text-field.tsx';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { Notice } from '~/ui/notice.tsx';
import { FieldSet } from '~/ui/fields/field-set.tsx';

export const shouldRevalidate = () => true;

/** One request about personal data: who asks, what is theirs, what is done, and the answer. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { platform, language, record } = await requireDesk({ request, context }, 'administer');
  const found = isUuid(params.id) ? await caseById(platform.db, platform.sealer, params.id) : null;
  if (!found) throw data(null, { status: 404 });
  await record('request_viewed', ['request', found.id]);
  const view = await requestView(platform, found, language);
  return { done: readCompletedAction(request), view };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { staff, platform, language } = await requireDesk({ request, context }, 'administer');
  const { id } = params;
  const form = await readForm({ request, context });
  const typed = typedTexts(form);
  const text = (name: string) => typed[name] ?? '';
  const identify = async () => {
    const found = isUuid(id) ? await caseById(platform.db, platform.sealer, id) : null;
    // Only what the page offered: a form cannot name other people's data.
    const offered = found
      ? (await currentChoices(platform, found, language)).map(({ value }) => value)
      : [];
    const values = form.getAll('own').filter((one) => typeof one === 'string');
    const own = parseChosenIds(values.filter((one) => offered.includes(one)));
    return recordIdentity(platform, staff, id, { check: text('check'), own });
  };
  const run = () => {
    switch (text('intent')) {
      case 'identity':
        return identify();
      case 'erase':
        return eraseForCase(platform, staff, id, {
          isConfirmed: text('confirm') === 'yes',
          areTripsConfirmed: text('confirmTrip') === 'yes',
        });
      case 'close':
        return closeCase(platform, staff, id, { outcome: text('outcome'), answer: text('answer') });
      default:
        return null;
    }
  };
  const outcome = await run();
  if (outcome?.ok) return redirect(`/admin/privacy/${id}?done=${text('intent')}`);
  return data({ errors: [outcome?.error ?? ('not_found' as const)], typed }, { status: 422 });
}

export default function PrivacyRequest({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('privacy');
  const { done, view } = loaderData;
  const isOpen = view.closed === null;
  const { kind } = view.row;
  return (
    <PrivacyFrame answer={actionData} done={done} title={t(`kind.${kind}`)}>
      <RequestFacts view={view} />
      <IdentitySection answer={actionData} view={view} />
      {view.identity && isOpen && !view.erased ? <ExportSection id={view.row.id} /> : null}
      {kind === 'correction' && view.identity && isOpen ? <CorrectionSection /> : null}
      {kind === 'erasure' && view.identity ? (
        <ErasureSection answer={actionData} view={view} />
      ) : null}
      <CloseSection answer={actionData} view={view} />
    </PrivacyFrame>
  );
}

type Props = { view: RequestView; answer: PrivacyAnswer | undefined };

/** How it was made sure who asks, and which data is theirs. */
function IdentitySection({ view, answer }: Props) {
  const { t, language } = useTranslation('privacy');
  const { identity, chosenCount, closed, erased } = view;
  const form = closed || erased ? null : <IdentityForm answer={answer} view={view} />;
  return (
    <section>
      <h2>{t('identity.title')}</h2>
      {identity ? (
        <>
          <p>
            {t(`check.${identity.check}`)}
            <br />
            <span className="text-ink-2">
              {t('recorded', { name: identity.name, moment: identity.moment })}
            </span>
          </p>
          <p>{t('identity.count', { count: formatCount(chosenCount, language) })}</p>
          {form ? (
            <details className="desk-more" open={answer?.typed.intent === 'identity'}>
              <summary>{t('identity.again')}</summary>
              {form}
            </details>
          ) : null}
        </>
      ) : (
        <>
          <p>{t('identity.lead')}</p>
          {form}
        </>
      )}
    </section>
  );
}

function IdentityForm({ view: { identity, choices }, answer }: Props) {
  const { t } = useTranslation('privacy');
  const { field } = useFields(answer);
  return (
    <Form method="post">
      <RadioList
        {...field('check', identity?.check)}
        label={t('identity.check')}
        options={identityChecks.map((one) => ({ value: one, label: t(`check.${one}`) }))}
      />
      <FieldSet hint={t('identity.chooseHint')} label={t('identity.choose')} name="own">
        {choices.length === 0 ? <p>{t('identity.nothing')}</p> : null}
        {choices.map((choice, index) => (
          <CheckBox
            defaultChecked={choice.isChosen}
            id={index === 0 ? 'own' : `own-${index}`}
            key={choice.value}
            label={
              <>
                {choice.label}
                <br />
                <bdi className="text-ink-2">{choice.detail}</bdi>
              </>
            }
            name="own"
            value={choice.value}
          />
        ))}
      </FieldSet>
      <Button name="intent" value="identity">
        {t('identity.submit')}
      </Button>
    </Form>
  );
}

/** The copy of everything, after the identity check. */
function ExportSection({ id }: { id: string }) {
  const { t } = useTranslation('privacy');
  return (
    <section>
      <h2>{t('export.title')}</h2>
      <p>{t('export.text')}</p>
      <p>
        {/* A file: the desk's router must not load it as a page. */}
        <a
          className="inline-flex min-h-11 items-center"
          download
          href={`/admin/privacy/${id}/export`}
        >
          {t('export.link')}
        </a>
      </p>
    </section>
  );
}

/** Where data is corrected. */
function CorrectionSection() {
  const { t } = useTranslation('privacy');
  return (
    <section>
      <h2>{t('correction.title')}</h2>
      <p>{t('correction.text')}</p>
    </section>
  );
}

/** When and how a request arrived, how long it may take, and what the person gave to be found by. */
function RequestFacts({ view }: { view: RequestView }) {
  const { t, language } = useTranslation('privacy');
  const { row, given, opened } = view;
  const facts: [term: string, value: ReactNode][] = [
    [
      t('list.due'),
      <span className="flex flex-wrap items-center gap-2" key="due">
        {row.due} <DaysLeft isUrgent={row.isUrgent} left={row.left} />
      </span>,
    ],
    [t('list.arrived'), row.arrived],
    [t('field.language'), formatLanguage(view.language, language)],
    ...(['number', 'email', 'passport'] as const).flatMap((name): typeof facts =>
      given[name].trim() === ''
        ? []
        : [
            [
              t(`field.${name}`),
              <bdi dir="ltr" key={name}>
                {given[name]}
              </bdi>,
            ],
          ],
    ),
  ];
  return (
    <>
      <dl className="grid gap-x-6 gap-y-2 wide:grid-cols-[220px_minmax(0,1fr)] [&_dd]:wrap-anywhere [&_dt]:text-ink-2">
        {facts.map(([term, value]) => (
          <div className="wide:col-span-2 wide:grid wide:grid-cols-subgrid" key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="text-ink-2">{opened ? t('recorded', opened) : null}</p>
    </>
  );
}

/** The answer and the end of a request. */
function CloseSection({ view, answer }: Props) {
  const { t } = useTranslation('privacy');
  const { field } = useFields(answer);
  if (view.closed) {
    return (
      <section>
        <h2>{t('close.title')}</h2>
        <p>
          {view.outcome ? t(`outcome.${view.outcome}`) : null}
          <br />
          <span className="text-ink-2">{t('close.done', view.closed)}</span>
        </p>
        <blockquote className="border-s-2 border-line-2 ps-3 whitespace-pre-line" dir="auto">
          {view.answer}
        </blockquote>
      </section>
    );
  }
  return (
    <section>
      <h2>{t('close.title')}</h2>
      <Form method="post">
        <RadioList
          {...field('outcome')}
          label={t('close.outcome')}
          options={outcomes.map((one) => ({ value: one, label: t(`outcome.${one}`) }))}
        />
        <TextArea
          {...field('answer')}
          dir="auto"
          hint={t('close.answerHint', { years: view.years.request })}
          label={t('close.answer')}
          maxLength={MAX_PRIVACY_ANSWER_LENGTH}
          rows={12}
        />
        <Button name="intent" value="close">
          {t('close.submit')}
        </Button>
      </Form>
    </section>
  );
}

/** What an erasure would delete and what stays and why; once done, the proof of it. */
function ErasureSection({ view, answer }: Props) {
  const { t, language } = useTranslation('privacy');
  const { checked } = useFields(answer);
  const { plan, years } = view;
  const isEmpty = plan?.goes.length === 0 && plan.changes.length === 0;
  return (
    <section>
      <h2>{t('erasure.title')}</h2>
      <Proof view={view} />
      {plan && isEmpty ? <p>{t('error.nothing_chosen')}</p> : null}
      {plan && !isEmpty ? (
        <>
          <h3>{t('erasure.goes')}</h3>
          <GroupCounts counts={plan.goes} files={plan.files} />
          {plan.changes.length > 0 ? (
            <>
              <h3>{t('erasure.changed')}</h3>
              <GroupCounts counts={plan.changes} />
            </>
          ) : null}
          {plan.stays.length > 0 ? (
            <>
              <h3>{t('erasure.stays', { years: years.ledger })}</h3>
              <GroupCounts counts={plan.stays} />
            </>
          ) : null}
          {plan.insurances > 0 ? (
            <p>
              {t('erasure.insurances', {
                years: years.insurance,
                count: formatCount(plan.insurances, language),
              })}
            </p>
          ) : null}
          {plan.blockers.length > 0 ? (
            <Notice title={t('erasure.blocked')} tone="amber">
              <ul>
                {plan.blockers.map(({ code, number }) => (
                  <li key={`${code} ${number}`}>{t(`blocker.${code}`, { number })}</li>
                ))}
              </ul>
            </Notice>
          ) : (
            <Form method="post">
              {plan.trips.length > 0 ? (
                <>
                  <Notice title={t('erasure.trips')} tone="amber">
                    <ul>
                      {plan.trips.map(({ number, date }) => (
                        <li key={number}>{t('erasure.trip', { number, date })}</li>
                      ))}
                    </ul>
                  </Notice>
                  <CheckBox {...checked('confirmTrip')} label={t('erasure.confirmTrip')} />
                </>
              ) : null}
              <CheckBox {...checked('confirm')} label={t('erasure.confirm')} />
              <Button look="danger" name="intent" value="erase">
                {t('erasure.submit')}
              </Button>
            </Form>
          )}
        </>
      ) : null}
    </section>
  );
}

function Proof({ view: { erased, proof, check } }: { view: RequestView }) {
  const { t, language } = useTranslation('privacy');
  if (!erased || !proof || !check) return null;
  const isClean = check.rows + check.found + check.files === 0;
  const count = (value: number) => formatCount(value, language);
  return (
    <>
      <p>{t('erasure.done', erased)}</p>
      <GroupCounts counts={proof.goes} files={proof.files} />
      {proof.changes.length > 0 ? (
        <>
          <h3>{t('erasure.emptied')}</h3>
          <GroupCounts counts={proof.changes} />
        </>
      ) : null}
      <Notice tone={isClean ? 'green' : 'amber'}>
        {isClean
          ? t('erasure.clean')
          : t('erasure.left', {
              rows: count(check.rows),
              found: count(check.found),
              files: count(check.files),
            })}
      </Notice>
    </>
  );
}
