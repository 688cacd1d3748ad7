import { useTranslation } from '~/ui/texts/texts.tsx';
import { data, Form, redirect, useSubmit } from 'react-router';
import { Link } from '~/ui/page/link.tsx';
import { formatMoment, UTC, formatDate, toPlainDate } from '~/base/dates/dates.ts';
import { useResetKey } from '../frame/announcer.tsx';
import { formatSpan } from '../frame/formats.ts';
import { FormPage } from '../frame/desk-page.tsx';
import { EntriesTable } from '../frame/lists.tsx';
import { RowAction } from '../frame/panel.tsx';
import { formText } from '~/platform/input/form-text.ts';
import { RecoveryCodes } from './second-factor.tsx';
import { RadioList } from '~/ui/fields/radio-list.tsx';
import {
  readUndoSeconds,
  undoSeconds,
  ABSOLUTE_MS,
  IDLE_MS,
  MAX_STAFF_NAME_LENGTH,
  TRIES_MINUTES,
} from '~/features/staff/staff.ts';
import { changeAccount, countRecoveryCodes, openSessions } from '~/features/staff/store.server.ts';
import {
  changePassword,
  endAllOwnSessions,
  endOwnSession,
  type PasswordError,
} from '~/features/staff/accounts/accounts.server.ts';
import { changeOwnName } from '~/features/staff/accounts/account-facts.server.ts';
import { addPasskey, removePasskey } from '~/features/staff/passkeys/own-passkeys.server.ts';
import {
  passkeySite,
  passkeysByAccount,
} from '~/features/staff/passkeys/passkey-sign-in.server.ts';
import {
  hasPassword,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
} from '~/features/staff/passwords.ts';
import {
  proveSecondFactor,
  type ProofError,
  makeRecoveryCodes,
} from '~/features/staff/second-factor.server.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import { sessionCookie, requestSession } from '~/features/staff/session.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { CodeField } from '~/features/staff/code-field.tsx';
import { Button } from '~/ui/button.tsx';
import { Notice } from '~/ui/notice.tsx';
import { cookieHeader } from '~/platform/http/cookies.server.ts';
import { TextField } from '~/ui/fields/text-field.tsx';
import type { Route } from './+types/account.ts';
import { useState } from 'react';
import { usePasskeys } from '~/features/staff/passkey-button.tsx';
import { useHref } from '~/ui/page/page-context.tsx';

/** One's own account: password, second factor, sessions. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { staff, platform } = await requireDesk({ request, context });
  const [mine, sessions, codesLeft, passkeys] = await Promise.all([
    requestSession(platform, request),
    openSessions(platform.db, staff.id, platform.now()),
    countRecoveryCodes(platform.db, staff.id),
    passkeysByAccount(platform.db, staff.id),
  ]);
  return {
    staff,
    codesLeft,
    passkeys:
      passkeySite(platform) && staff.hasSecondFactor
        ? passkeys.map(({ id, name, createdAt, usedAt }) => ({ id, name, createdAt, usedAt }))
        : null,
    provider: platform.config.singleSignOn?.name ?? null,
    hasPassword: mine !== null && hasPassword(platform, mine.account),
    sessions: sessions.map(({ id, createdAt, seenAt, device }) => ({
      id,
      device,
      createdAt,
      seenAt,
      isThis: id === mine?.session.id,
    })),
  };
}

type Answer = {
  done: 'name' | 'password' | 'session' | 'undo' | 'passkey_add' | 'passkey_remove' | null;
  isNameMissing: boolean;
  problem: { field: 'current' | 'next'; code: PasswordError } | null;
  /** Why no new recovery codes were made. */
  codesProblem: ProofError | null;
  codes: string[] | null;
  isPasskeyRefused: boolean;
};

const nothing: Answer = {
  done: null,
  isNameMissing: false,
  problem: null,
  codesProblem: null,
  codes: null,
  isPasskeyRefused: false,
};

export async function action({ request, context }: Route.ActionArgs) {
  const { staff, platform } = await requireDesk({ request, context });
  const form = await readForm({ request, context });
  const answer = (fields: Partial<Answer>, status = 200) =>
    data({ ...nothing, ...fields }, { status });
  switch (formText(form, 'intent')) {
    case 'password': {
      const typed = { current: formText(form, 'current'), next: formText(form, 'next') };
      const outcome = await changePassword(platform, request, typed);
      if (outcome.ok) return answer({ done: 'password' });
      const code = outcome.error;
      const isAboutCurrent = code === 'wrong_password' || code === 'limit';
      return answer({ problem: { field: isAboutCurrent ? 'current' : 'next', code } }, 422);
    }
    case 'name': {
      const typed = formText(form, 'name');
      const renamed = await changeOwnName(platform, staff, typed);
      return renamed.ok ? answer({ done: 'name' }) : answer({ isNameMissing: true }, 422);
    }
    case 'codes': {
      const code = formText(form, 'code').slice(0, 40);
      const proved = await proveSecondFactor(platform, staff.id, { sessionId: null, code });
      if (!proved.ok) return answer({ codesProblem: proved.error }, 422);
      return answer({ codes: await makeRecoveryCodes(platform, staff.id) });
    }
    case 'undo': {
      const undoSeconds = readUndoSeconds(formText(form, 'undoSeconds'));
      if (undoSeconds === null) return answer({}, 422);
      await changeAccount(platform.db, staff.id, { undoSeconds });
      return answer({ done: 'undo' });
    }
    case 'passkey_add': {
      const made = { name: formText(form, 'name'), response: formText(form, 'response') };
      const added = await addPasskey(platform, request, made);
      return added.ok ? answer({ done: 'passkey_add' }) : answer({ isPasskeyRefused: true }, 422);
    }
    case 'passkey_remove':
      await removePasskey(platform, staff.id, formText(form, 'passkey'));
      return answer({ done: 'passkey_remove' });
    case 'everywhere':
      await endAllOwnSessions(platform, staff.id);
      return redirect('/admin', {
        headers: cookieHeader(sessionCookie(platform, '')),
      });
    case 'session':
      await endOwnSession(platform, staff.id, formText(form, 'session'));
      return answer({ done: 'session' });
    default:
      return answer({}, 422);
  }
}

export default function AccountPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t, language } = useTranslation('staff');
  const { staff, sessions, codesLeft, passkeys, provider, hasPassword } = loaderData;
  const password = useResetKey(actionData, actionData?.done === 'password');
  const problem = actionData?.problem;
  const message =
    problem &&
    t(`staff:password.${problem.code}`, {
      count: MIN_PASSWORD_LENGTH,
      limit: MAX_PASSWORD_LENGTH,
      minutes: TRIES_MINUTES,
    });
  const codesProblem = actionData?.codesProblem;
  const codesMessage = codesProblem
    ? t(`recovery.error.${codesProblem}`, { minutes: TRIES_MINUTES })
    : undefined;
  const nameMessage = actionData?.isNameMissing ? t('accounts.error.name_required') : undefined;
  const problems = [
    ...(nameMessage ? [{ name: 'name', message: nameMessage }] : []),
    ...(problem && message ? [{ name: problem.field, message }] : []),
    ...(codesMessage ? [{ name: 'code', message: codesMessage }] : []),
  ];
  return (
    <FormPage
      done={actionData?.done ? t(`account.done.${actionData.done}`) : null}
      lead={
        <>
          {staff.name} · <bdi dir="ltr">{staff.email}</bdi> · {t(`role.${staff.role}`)}
        </>
      }
      problems={problems}
      title={t('account.title')}
    >
      {actionData?.codes ? <RecoveryCodes codes={actionData.codes} /> : null}

      <section>
        <h2>{t('invite.name')}</h2>
        <Form method="post">
          <TextField
            autoComplete="name"
            defaultValue={nameMessage || !staff.isNamed ? '' : staff.name}
            error={nameMessage}
            hint={t('name.hint')}
            // Made anew with the name that was given elsewhere.
            key={staff.name}
            label={t('name.label')}
            maxLength={MAX_STAFF_NAME_LENGTH}
            name="name"
          />
          <Button look="secondary" name="intent" small value="name">
            {t('name.submit')}
          </Button>
        </Form>
      </section>

      <section>
        <h2>{t('secondFactor.title')}</h2>
        {staff.hasSecondFactor ? (
          <>
            <p>{t('secondFactor.on')}</p>
            <p>{t('recovery.left', { count: codesLeft })}</p>
            <Form method="post">
              <CodeField
                error={codesMessage}
                hint={t('recovery.codeHint')}
                label={t('signIn.code')}
              />
              <Button look="secondary" name="intent" small value="codes">
                {t('recovery.make')}
              </Button>
            </Form>
          </>
        ) : (
          <p>
            {staff.provedFactor && provider !== null ? (
              <span className="block">{t('signOn.factor', { name: provider })}</span>
            ) : null}
            <Link to="/admin/second-factor">{t('secondFactor.submit')}</Link>
          </p>
        )}
      </section>

      {actionData?.isPasskeyRefused ? (
        <Notice role="alert" tone="amber">
          {t('passkey.problem.refused')}
        </Notice>
      ) : null}
      {passkeys ? <PasskeySection passkeys={passkeys} /> : null}

      {hasPassword ? (
        <section>
          <h2>{t('password.title')}</h2>
          <Form key={password} method="post">
            <TextField
              autoComplete="current-password"
              error={problem?.field === 'current' ? message : undefined}
              label={t('password.current')}
              latin
              name="current"
              type="password"
            />
            <TextField
              autoComplete="new-password"
              error={problem?.field === 'next' ? message : undefined}
              hint={t('password.hint', { count: MIN_PASSWORD_LENGTH })}
              label={t('password.next')}
              latin
              name="next"
              type="password"
            />
            <Button name="intent" small value="password">
              {t('password.submit')}
            </Button>
          </Form>
        </section>
      ) : null}

      <section>
        <h2>{t('undo.title')}</h2>
        <p className="text-ink-2">{t('undo.lead')}</p>
        <Form method="post">
          <RadioList
            defaultValue={String(staff.undoSeconds)}
            inline
            label={<span className="sr-only">{t('undo.title')}</span>}
            name="undoSeconds"
            options={undoSeconds.map((seconds) => ({
              value: String(seconds),
              label: formatSpan(seconds, language),
            }))}
          />
          <Button look="secondary" name="intent" small value="undo">
            {t('undo.submit')}
          </Button>
        </Form>
      </section>

      <section>
        <h2>{t('sessions.title')}</h2>
        <p className="text-ink-2">
          {t('sessions.lead', { minutes: IDLE_MS / 60_000, hours: ABSOLUTE_MS / 3600_000 })}
        </p>
        <Sessions sessions={sessions} />
        <Form method="post">
          <Button look="secondary" name="intent" small value="everywhere">
            {t('sessions.everywhere')}
          </Button>
        </Form>
      </section>
    </FormPage>
  );
}

function Sessions({ sessions }: Pick<Route.ComponentProps['loaderData'], 'sessions'>) {
  const { t, language } = useTranslation('staff');
  const moment = (at: Date) => formatMoment(at, language, UTC, 'short');
  return (
    <EntriesTable
      columns={[
        {
          head: t('sessions.device'),
          render: ({ device }) =>
            device === null ? t('sessions.unknown') : <bdi dir="ltr">{device}</bdi>,
        },
        {
          head: t('sessions.began'),
          isLabelled: true,
          render: ({ createdAt }) => moment(createdAt),
        },
        { head: t('sessions.seen'), isLabelled: true, render: ({ seenAt }) => moment(seenAt) },
        {
          head: t('sessions.end'),
          isUntitled: true,
          render: ({ id, isThis }) =>
            isThis ? (
              t('sessions.this')
            ) : (
              <RowAction intent="session" name="session" value={id}>
                {t('sessions.end')}
              </RowAction>
            ),
        },
      ]}
      entries={sessions}
      rowOf={({ id }) => ({ key: id })}
    />
  );
}

/** A passkey in the list of its owner; `usedAt`: null before its first use. */
type OwnPasskey = { id: string; name: string; createdAt: Date; usedAt: Date | null };

const passkeyProblems = ['wrong_code', 'limit', 'too_much'] as const;
type PasskeyProblem = 'refused' | (typeof passkeyProblems)[number];

// Without zod, whose objects visitors' scripts would have to carry.
const problemIn = (answer: unknown): PasskeyProblem =>
  (typeof answer === 'object' &&
    answer !== null &&
    'error' in answer &&
    passkeyProblems.find((problem) => problem === answer.error)) ||
  'refused';

/** Adds and removes one's own passkeys. Making one takes scripts. */
function PasskeySection({ passkeys }: { passkeys: readonly OwnPasskey[] }) {
  const { t, language } = useTranslation('staff');
  const isAble = usePasskeys();
  const day = (at: Date) => formatDate(toPlainDate(at, UTC), language);
  return (
    <section>
      <h2>{t('passkey.title')}</h2>
      <p className="text-ink-2">{t('passkey.lead')}</p>
      {passkeys.length > 0 ? (
        <ul className="mb-6">
          {passkeys.map(({ id, name, createdAt, usedAt }) => (
            <li
              className="flex flex-wrap justify-between gap-x-4 gap-y-1 border-b border-line py-2"
              key={id}
            >
              <span className="wrap-anywhere">
                <bdi>{name}</bdi> ·{' '}
                {usedAt === null
                  ? t('passkey.added', { day: day(createdAt) })
                  : t('passkey.used', { day: day(usedAt) })}
              </span>
              <RowAction intent="passkey_remove" name="passkey" value={id}>
                {t('passkey.remove')}
                <span className="sr-only">
                  {' '}
                  <bdi>{name}</bdi>
                </span>
              </RowAction>
            </li>
          ))}
        </ul>
      ) : null}
      {isAble ? <AddPasskey key={passkeys.length} /> : <p>{t('passkey.scripts')}</p>}
    </section>
  );
}

function AddPasskey() {
  const { t } = useTranslation('staff');
  const submit = useSubmit();
  const href = useHref('/admin/passkeys');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<PasskeyProblem | null>(null);
  async function add(form: FormData) {
    setBusy(true);
    setProblem(null);
    try {
      const { startRegistration } = await import('@simplewebauthn/browser');
      const code = formText(form, 'passkey-code');
      const answer = await fetch(href, {
        method: 'POST',
        body: new URLSearchParams({ intent: 'add', code }),
      });
      const content: unknown = await answer.json();
      if (!answer.ok) {
        setProblem(problemIn(content));
        return;
      }
      const optionsJSON = content as Parameters<typeof startRegistration>[0]['optionsJSON'];
      const response = await startRegistration({ optionsJSON });
      const name = formText(form, 'passkey-name');
      const made = { intent: 'passkey_add', name, response: JSON.stringify(response) };
      await submit(made, { method: 'post' });
    } catch {
      // Cancelled, or the device has one for this account already.
      setProblem('refused');
    } finally {
      setBusy(false);
    }
  }
  const text = problem === null ? undefined : t(`passkey.problem.${problem}`);
  const isAboutCode = problem === 'wrong_code' || problem === 'limit';
  return (
    <form
      method="post"
      onSubmit={(event) => {
        event.preventDefault();
        void add(new FormData(event.currentTarget));
      }}
    >
      {text !== undefined && !isAboutCode ? (
        <Notice role="alert" tone="amber">
          {text}
        </Notice>
      ) : null}
      <TextField
        autoComplete="off"
        hint={t('passkey.nameHint')}
        label={t('passkey.name')}
        name="passkey-name"
      />
      <CodeField
        error={isAboutCode ? text : undefined}
        hint={t('recovery.codeHint')}
        label={t('signIn.code')}
        name="passkey-code"
      />
      <Button busy={isBusy} look="secondary" small>
        {t('passkey.add')}
      </Button>
    </form>
  );
}
