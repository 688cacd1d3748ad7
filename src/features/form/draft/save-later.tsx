import type { KeyboardEvent } from 'react';
import type { FieldProblem } from '~/ui/fields/error-summary.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Button } from '~/ui/button.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import { lazyPart } from '~/ui/page/lazy-part.tsx';
import { useAllTexts } from '~/ui/texts/page-texts.tsx';
import { isolated } from '~/base/isolated.ts';
import type { TypedAnswers } from '../answers/controls.ts';
import { errorKeys } from '../answers/problem-message.ts';
import { LINK_DAYS } from '../answers/limits.ts';
import {
  formatNamedMessageLine,
  formatMessage,
  type WordedMessage,
} from '~/features/application/words.ts';

/** The address typed for a link, and why no link was sent. */
export type LinkRefusal = { email: string; code: string; suggestion?: string };

/** Control with the address that a link is sent to. */
export const SAVE_EMAIL = 'saveEmail';

/** Control with the address chosen, where the one typed looked mistyped. */
export const SAVE_ANSWER = 'saveEmailAnswer';

/** Loaded only when needed, as few addresses look mistyped. */
const EmailChoice = lazyPart(
  async () => (await import('~/ui/fields/email-choice.tsx')).EmailChoice,
  {
    needed: true,
  },
);

/** Why no link was sent; null where nothing was refused. */
function useRefusalMessage(later: LinkRefusal | undefined): WordedMessage | null {
  const { t } = useTranslation('visa');
  const ask = later?.suggestion;
  useAllTexts(ask !== undefined);
  // The question about an address has the same text as for the traveller's own.
  const field = ask === undefined ? 'saveEmail' : 'email';
  const word = (part: 'title' | 'text') =>
    t(errorKeys('visa', field, later?.code ?? '', part), {
      defaultValue: '',
      suggestion: isolated(ask ?? ''),
    });
  return later ? { title: word('title'), text: word('text') || undefined } : null;
}

/** The line of a page's summary for a link that was not sent. */
export function useLinkProblems(later: LinkRefusal | undefined): FieldProblem[] {
  const { t, language } = useTranslation('visa');
  const message = useRefusalMessage(later);
  return message
    ? [{ name: SAVE_EMAIL, message: formatNamedMessageLine(t('later.email'), message, language) }]
    : [];
}

/** Part of the page's form, so that its answers are saved together with sending the link. */
export function SaveLater({
  later,
  beside,
}: {
  later: LinkRefusal | undefined;
  /** What was typed beside the questions of a page that was refused. */
  beside: TypedAnswers | undefined;
}) {
  const { t } = useTranslation('visa');
  const ask = later?.suggestion;
  const message = useRefusalMessage(later);
  const typed = later?.email ?? beside?.[SAVE_EMAIL] ?? '';

  /** By default Enter would press Next, the form's first button. */
  function sendOnEnter(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    const button = event.currentTarget.form?.querySelector<HTMLButtonElement>('[value="later"]');
    button?.click();
  }

  return (
    <details className="save-later mt-10" open={later !== undefined || typed !== ''}>
      <summary className="min-h-11 cursor-pointer py-2.5 text-ink underline underline-offset-4">
        {t('later.summary')}
      </summary>
      <div className="mt-2 grid gap-5 justify-items-start">
        <p className="text-small text-ink-2">{t('later.text', { count: LINK_DAYS })}</p>
        <TextField
          after={
            ask === undefined ? null : (
              <EmailChoice ask={ask} name={SAVE_ANSWER} typed={later?.email ?? ''} />
            )
          }
          autoComplete="email"
          defaultValue={typed}
          error={message ? formatMessage(message) : undefined}
          inputMode="email"
          label={t('later.email')}
          latin
          name={SAVE_EMAIL}
          onKeyDown={sendOnEnter}
          type="email"
          width="email"
        />
        <Button look="secondary" name="intent" small value="later">
          {t('later.send')}
        </Button>
      </div>
    </details>
  );
}
