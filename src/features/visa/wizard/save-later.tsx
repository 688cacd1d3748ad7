import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '~/features/application/moment.tsx';
import { Button } from '~/ui/button.tsx';
import { TextField } from '~/ui/text-field.tsx';
import { LINK_DAYS } from '~/features/draft/link-days.ts';
import { messageOf } from './problem-message.ts';
import type { StepAnswer } from './step-view.ts';
import { asSentences } from '~/features/application/words.ts';

/** Part of the step's own form: what is typed on the page is kept along with the link. */
export function SaveLater({ later }: { later: StepAnswer['later'] }) {
  const { t } = useTranslation('visa');
  const language = useLanguage();
  const error =
    later && asSentences(messageOf(t, language, { field: 'saveEmail', code: later.code }));

  /** Enter would press Next, the form's first button. */
  function sendOnEnter(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    const button = event.currentTarget.form?.querySelector<HTMLButtonElement>('[value="later"]');
    button?.click();
  }

  return (
    <details className="save-later mt-10" open={later !== undefined}>
      <summary className="min-h-11 cursor-pointer py-2.5 text-ink underline underline-offset-4">
        {t('later.summary')}
      </summary>
      <div className="mt-2 grid gap-5 justify-items-start">
        <p className="small text-ink-2">{t('later.text', { count: LINK_DAYS })}</p>
        <TextField
          autoComplete="email"
          defaultValue={later?.email}
          error={error}
          inputMode="email"
          label={t('later.email')}
          latin
          name="saveEmail"
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
