import { Form } from 'react-router';
import { Button } from '~/ui/button.tsx';
import { TextArea } from '~/ui/fields/text-field.tsx';
import { MentionList } from '../queue/mention-list.tsx';
import type { Person } from '../queue/mentions.ts';
import { fieldName, type CaseFileProblem } from './case-file-answer.ts';
import { useProblemText } from './case-file-words.tsx';
import { useIsSending } from './form-state.tsx';

/** One text field and one button, about one note, email or application; with a `title` inside a disclosure. */
export function CaseFileForm({
  intent,
  about: given,
  title,
  lead,
  label,
  send,
  text = '',
  longest,
  mentions = [],
  problem,
}: {
  intent: string;
  /** The id of the note, email or application. */
  about: string;
  title?: string;
  lead?: string;
  label: string;
  send: string;
  /** The initial text. */
  text?: string;
  longest: number;
  /** Who can be mentioned in the text. */
  mentions?: readonly Person[];
  problem: CaseFileProblem | null;
}) {
  const isMine = problem?.intent === intent && (title === undefined || problem.about === given);
  const failed = isMine ? problem : null;
  const error = useProblemText(failed);
  // A refused form keeps its id, so that sending it again stores it once.
  const about = failed?.about ?? given;
  const isSending = useIsSending(intent, about);
  const name = fieldName(intent, about);
  const form = (
    // Another key remounts the form, which empties it after sending.
    <Form
      className="grid gap-2.5 pt-1 pb-3"
      key={`${name} ${text}`}
      method="post"
      preventScrollReset
    >
      {lead ? <p>{lead}</p> : null}
      <input name="intent" type="hidden" value={intent} />
      <input name="about" type="hidden" value={about} />
      <TextArea
        defaultValue={failed?.typed ?? text}
        dir="auto"
        error={error}
        label={label}
        maxLength={longest}
        name={name}
        // What is typed meanwhile would be emptied with what is being sent.
        readOnly={isSending}
        required
        rows={3}
      />
      <MentionList into={name} people={mentions} />
      <Button busy={isSending} look="secondary" small wide>
        {send}
      </Button>
    </Form>
  );
  if (title === undefined) return form;
  return (
    <details className="desk-more" open={failed !== null || undefined}>
      <summary>{title}</summary>
      {form}
    </details>
  );
}
