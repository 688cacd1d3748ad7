import { Form } from 'react-router';
import { Button } from '~/ui/button.tsx';
import { SelectField } from '~/ui/fields/select-field.tsx';
import { TextArea } from '~/ui/fields/text-field.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { LONGEST_STAFF_NOTE } from '../notes/note.ts';
import { MentionList } from '../for-you/mention-list.tsx';
import type { Person } from '../for-you/mentions.ts';
import { ASSIGNED_MS } from './assignment.ts';

const DAY_MS = 86_400_000;

/** Gives the open application to a colleague, with a note; in a disclosure below its facts. */
export function AssignForm({
  colleagues,
  viewerId,
  note,
  error,
}: {
  colleagues: readonly Person[];
  viewerId: string;
  /** What was typed before an error. */
  note: string;
  /** Why it was not assigned. */
  error: string | null;
}) {
  const { t } = useTranslation('for-you');
  return (
    <details className="desk-more" open={error !== null || undefined}>
      <summary>{t('assign.title')}</summary>
      <Form className="grid gap-2.5 pt-1 pb-3" method="post" preventScrollReset>
        <p className="text-ink-2">{t('assign.lead', { days: ASSIGNED_MS / DAY_MS })}</p>
        <SelectField
          defaultValue=""
          emptyLabel={t('assign.choose')}
          error={error}
          label={t('assign.to')}
          name="colleague"
          options={colleagues.map(({ id, name }) => ({
            value: id,
            label: id === viewerId ? t('assign.me', { name }) : name,
          }))}
          required
        />
        <TextArea
          defaultValue={note}
          dir="auto"
          label={t('assign.note')}
          maxLength={LONGEST_STAFF_NOTE}
          name="assignNote"
          rows={2}
        />
        <MentionList into="assignNote" people={colleagues.filter(({ id }) => id !== viewerId)} />
        <Button look="secondary" name="intent" small value="assign" wide>
          {t('assign.send')}
        </Button>
      </Form>
    </details>
  );
}
