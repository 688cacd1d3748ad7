import { useState } from 'react';
import { Form, useSubmit } from 'react-router';
import { formatDate, dateOf, UTC } from '~/base/dates/dates.ts';
import { CodeField } from '~/features/staff/code-field.tsx';
import { LONGEST_PASSKEY_NAME, passkeyNameField } from '~/features/staff/passkeys/passkey.ts';
import { usePasskeys } from '~/features/staff/passkey-button.tsx';
import { Button } from '~/ui/button.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import { Notice } from '~/ui/notice.tsx';
import { useHref } from '~/ui/page/page-context.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { formText } from '~/platform/input/form-text.ts';
import { RowAction } from '../frame/panel.tsx';

/** A passkey in the list of its owner; moments in milliseconds since 1970, null before its first use. */
export type OwnPasskey = { id: string; name: string; createdAt: number; usedAt: number | null };

const problems = ['wrong_code', 'limit', 'too_much'] as const;
type Problem = 'refused' | (typeof problems)[number];

// Without zod, whose objects visitors' scripts would have to carry.
const problemIn = (answer: unknown): Problem =>
  (typeof answer === 'object' &&
    answer !== null &&
    'error' in answer &&
    problems.find((problem) => problem === answer.error)) ||
  'refused';

/**
 * Adds, names and removes one's own passkeys. Making one takes scripts. `nameless`: the one whose new name was sent
 * empty.
 */
export function PasskeySection({
  passkeys,
  nameless,
}: {
  passkeys: readonly OwnPasskey[];
  nameless: string | null;
}) {
  const { t } = useTranslation('staff');
  const language = useLanguage();
  const isAble = usePasskeys();
  const day = (at: number) => formatDate(dateOf(new Date(at), UTC), language);
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
              {/* A new name closes it. */}
              <RenamePasskey id={id} isNameless={nameless === id} key={name} name={name} />
            </li>
          ))}
        </ul>
      ) : null}
      {isAble ? <AddPasskey key={passkeys.length} /> : <p>{t('passkey.scripts')}</p>}
    </section>
  );
}

function RenamePasskey({
  id,
  name,
  isNameless,
}: {
  id: string;
  name: string;
  isNameless: boolean;
}) {
  const { t } = useTranslation('staff');
  return (
    <details className="desk-more basis-full" open={isNameless || undefined}>
      <summary>
        {t('passkey.rename')}
        <span className="sr-only">
          {' '}
          <bdi>{name}</bdi>
        </span>
      </summary>
      <Form className="pt-2" method="post">
        <input name="passkey" type="hidden" value={id} />
        <TextField
          autoComplete="off"
          defaultValue={name}
          error={isNameless ? t('passkey.nameRequired') : undefined}
          label={t('passkey.newName')}
          maxLength={LONGEST_PASSKEY_NAME}
          name={passkeyNameField(id)}
        />
        <Button look="secondary" name="intent" small value="passkey_rename">
          {t('passkey.saveName')}
        </Button>
      </Form>
    </details>
  );
}

function AddPasskey() {
  const { t } = useTranslation('staff');
  const submit = useSubmit();
  const href = useHref('/admin/passkeys');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
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
