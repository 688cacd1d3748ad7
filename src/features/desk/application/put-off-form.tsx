import { Form } from 'react-router';
import { isInHand } from '~/features/application/queue-group.ts';
import { Button } from '~/ui/button.tsx';
import { Notice } from '~/ui/notice.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { blockedProps } from '../frame/announcer.tsx';
import { PutOffText } from '../frame/queue-row-state.tsx';
import { isActionOffered, keyOf } from './case-actions.ts';
import { useCase, useProblem } from './case.tsx';
import { PutOffFields } from './decision-fields.tsx';

/** Until when the application is put off, by whom and why, with a button that takes it back. */
export function PutOffNotice() {
  const { application, caseFile, viewer } = useCase();
  const { t } = useTranslation('desk');
  const { putOff } = caseFile;
  if (!putOff || !isInHand(application) || application.pausedAt) return null;
  return (
    <Notice title={<PutOffText {...putOff} />} tone="blue">
      <p dir="auto">{putOff.words ?? t(`putOff.reason.${putOff.reason}`)}</p>
      {isActionOffered('resume', application, viewer.role) ? (
        <Form method="post" preventScrollReset>
          <button className="link-button" name="intent" value="resume" {...keyOf('resume')}>
            {t('putOff.resume')}
          </button>
        </Form>
      ) : null}
    </Notice>
  );
}

/** Puts the application off: why, and until when. Taking the next one passes it over until then. */
export function PutOffForm() {
  const { forms: application, block, caseFile, viewer } = useCase();
  const { problem, text, field } = useProblem('put_off');
  const { t } = useTranslation('desk');
  const errorAt = (name: string) => (field === name ? text : null);
  const isOffered = isActionOffered('put_off', application, viewer.role);
  // To change it, it is brought back first.
  const isClosed = caseFile.putOff || !isInHand(application) || application.pausedAt;
  if (!isOffered || (isClosed && !problem)) return null;
  return (
    <details className="desk-more" id="put-off" open={problem !== null || undefined}>
      <summary {...keyOf('put_off')}>{t('putOff.title')}</summary>
      <Form className="grid gap-2.5 pt-1 pb-3" method="post" preventScrollReset>
        <p className="text-ink-2">{t('putOff.lead')}</p>
        <PutOffFields errorAt={errorAt} typed={problem?.typed ?? {}} />
        <Button {...blockedProps(block)} look="secondary" name="intent" small value="put_off" wide>
          {t('putOff.send')}
        </Button>
      </Form>
    </details>
  );
}
