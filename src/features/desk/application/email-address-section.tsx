import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from 'react-router';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { may, type Role } from '~/features/staff/roles.ts';
import { Button } from '~/ui/button.tsx';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { EmailChoice } from '~/ui/fields/email-choice.tsx';
import { TextArea, TextField } from '~/ui/fields/text-field.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { CaseFile } from './case-file.server.ts';
import {
  CORRECT_EMAIL,
  fieldName,
  RESENT,
  WHY,
  type CaseFileDone,
  type CaseFileProblem,
} from './case-file-answer.ts';
import { DoneNotice, useProblemText } from './case-file-words.tsx';
import { LONGEST_WHY } from './note.ts';
import { useIsSending, useNextId } from './form-state.tsx';

const ofWhy: readonly string[] = ['empty_why', 'long_why'];

/** Earlier addresses of the traveller, and the form that corrects the address and sends emails again. */
export function EmailAddressSection({
  caseFile,
  role,
  done,
  problem,
}: {
  caseFile: Pick<CaseFile, 'emailCorrections' | 'emails' | 'nextNote'>;
  role: Role;
  done: CaseFileDone | null;
  problem: CaseFileProblem | null;
}) {
  const { t } = useTranslation('case-file');
  const language = useLanguage();
  const failed = problem?.intent === CORRECT_EMAIL ? problem : null;
  const error = useProblemText(failed);
  const isAboutWhy = failed !== null && ofWhy.includes(failed.code);
  const nextId = useNextId(caseFile.nextNote, caseFile.emailCorrections);
  const about = failed?.about ?? nextId;
  const isSending = useIsSending(CORRECT_EMAIL, about);
  const email = fieldName(CORRECT_EMAIL, about);
  const sent = caseFile.emails.filter(({ state }) => state === 'sent');
  return (
    <section className="desk-facts" id="email">
      <h3>{t('email.title')}</h3>
      <DoneNotice done={done} of={['email_corrected']} />
      {caseFile.emailCorrections.length > 0 ? (
        <ol className="desk-history">
          {caseFile.emailCorrections.map(({ id, from, to, why, by, at }) => (
            <li id={`email-correction-${id}`} key={id}>
              <p className="font-semibold text-ink">
                <bdi dir="ltr">{from}</bdi> → <bdi dir="ltr">{to}</bdi>
              </p>
              <p>{t('email.by', { name: by, moment: formatMoment(at, language, UTC, 'dated') })}</p>
              <p dir="auto">{why}</p>
            </li>
          ))}
        </ol>
      ) : null}
      {may(role, 'correct_email') ? (
        <details className="desk-more" open={failed !== null || undefined}>
          <summary>{t('email.correct')}</summary>
          <Form className="grid gap-2.5 pt-1 pb-3" key={about} method="post" preventScrollReset>
            <p>{t('email.lead')}</p>
            <input name="intent" type="hidden" value={CORRECT_EMAIL} />
            <input name="about" type="hidden" value={about} />
            <TextField
              after={<EmailChoice ask={failed?.ask ?? null} typed={failed?.typed ?? ''} />}
              autoComplete="off"
              defaultValue={failed?.typed}
              error={isAboutWhy ? null : error}
              label={t('email.new')}
              latin
              name={email}
              readOnly={isSending}
              required
              spellCheck={false}
              type="email"
              width="full"
            />
            <TextArea
              defaultValue={failed?.why}
              dir="auto"
              error={isAboutWhy ? error : null}
              label={t('email.why')}
              maxLength={LONGEST_WHY}
              name={WHY}
              readOnly={isSending}
              required
              rows={2}
            />
            {sent.length > 0 ? (
              <fieldset>
                <legend>{t('email.again')}</legend>
                {sent.map((email) => (
                  <CheckBox
                    defaultChecked={failed?.emails?.includes(email.id)}
                    key={email.id}
                    label={`${email.kindName}, ${formatMoment(email.at, language, UTC, 'dated')}`}
                    name={`${RESENT}${email.id}`}
                  />
                ))}
              </fieldset>
            ) : null}
            <Button busy={isSending} look="secondary" small wide>
              {t('email.send')}
            </Button>
          </Form>
        </details>
      ) : null}
    </section>
  );
}
