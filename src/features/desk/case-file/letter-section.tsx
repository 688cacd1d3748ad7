import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from 'react-router';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { may, type Role } from '~/features/staff/roles.ts';
import { Notice } from '~/ui/notice.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { CaseFileDone, CaseFileProblem } from './case-file-answer.ts';
import { DoneNotice, useLetterKind, useProblemText } from './case-file-words.tsx';
import type { LetterView } from '../records/letter-view.ts';

/** Every e-mail to the traveller about this application: to be read as it was, and sent again. */
export function LetterSection({
  letters,
  role,
  done,
  problem,
}: {
  letters: readonly LetterView[];
  role: Role;
  done: CaseFileDone | null;
  problem: CaseFileProblem | null;
}) {
  const { t } = useTranslation('case-file');
  const error = useProblemText(problem?.intent === 'resend_letter' ? problem : null);
  return (
    <section className="desk-facts" id="letters">
      <h3>{t('letters.title')}</h3>
      <DoneNotice done={done} of={['letter_resent']} />
      {error ? (
        <Notice role="alert" tone="red">
          {error}
        </Notice>
      ) : null}
      {letters.length === 0 ? <p className="desk-quiet">{t('letters.none')}</p> : null}
      <ol className="desk-history">
        {letters.map((letter) => (
          <Letter key={letter.id} letter={letter} mayResend={may(role, 'resend_letter')} />
        ))}
      </ol>
    </section>
  );
}

function Letter({ letter, mayResend }: { letter: LetterView; mayResend: boolean }) {
  const { t } = useTranslation('case-file');
  const language = useLanguage();
  const kind = useLetterKind()(letter.kind);
  const { id, state, at, failure, to, subject, resentBy } = letter;
  const moment = formatMoment(at, language, UTC, 'dated');
  return (
    <li id={`letter-${id}`}>
      <p className="history-title">{kind}</p>
      <p className={state === 'failed' ? 'letter-failed' : undefined}>
        {t('letters.stateAt', { state: t(`letters.state.${state}`), moment })}
      </p>
      {failure ? <p>{t(`letters.failure.${failure}`)}</p> : null}
      {subject ? <p dir="auto">{subject}</p> : null}
      {to ? (
        <p>
          <bdi>{t('letters.to', { address: to })}</bdi>
        </p>
      ) : null}
      {resentBy ? <p>{t('letters.resentBy', { name: resentBy })}</p> : null}
      <div className="note-deeds">
        {subject ? (
          <a
            aria-label={t('letters.viewLabel', { kind })}
            className="letter-link"
            href={`/admin/letters/${id}`}
            rel="noopener"
            target="_blank"
          >
            {t('letters.view')}
          </a>
        ) : null}
        {mayResend && state !== 'queued' ? (
          <Form method="post" preventScrollReset>
            <input name="about" type="hidden" value={id} />
            <button
              aria-label={t('letters.resendLabel', { kind })}
              className="link-button"
              name="intent"
              value="resend_letter"
            >
              {t('letters.resend')}
            </button>
          </Form>
        ) : null}
      </div>
    </li>
  );
}
