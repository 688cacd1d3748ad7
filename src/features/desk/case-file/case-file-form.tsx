import { Form } from 'react-router';
import { Button } from '~/ui/button.tsx';
import { TextArea } from '~/ui/fields/text-field.tsx';
import { fieldName, type CaseFileProblem } from './case-file-answer.ts';
import { useProblemText } from './case-file-words.tsx';

/** One text and one button, about one note, e-mail or application; with a `title` it opens on demand. */
export function CaseFileForm({
  intent,
  about,
  title,
  lead,
  label,
  send,
  text = '',
  longest,
  problem,
}: {
  intent: string;
  about: string;
  title?: string;
  lead?: string;
  label: string;
  send: string;
  /** What the field begins with. */
  text?: string;
  longest: number;
  problem: CaseFileProblem | null;
}) {
  // A note that was refused is written under the id it was refused under.
  const isMine = problem?.intent === intent && (title === undefined || problem.about === about);
  const failed = isMine ? problem : null;
  const error = useProblemText(failed);
  const name = fieldName(intent, failed?.about ?? about);
  const form = (
    // Another key is another form: what was sent is gone from its field.
    <Form
      className="grid gap-2.5 pt-1 pb-3"
      key={`${name} ${text}`}
      method="post"
      preventScrollReset
    >
      {lead ? <p>{lead}</p> : null}
      <input name="intent" type="hidden" value={intent} />
      <input name="about" type="hidden" value={failed?.about ?? about} />
      <TextArea
        defaultValue={failed?.typed ?? text}
        dir="auto"
        error={error}
        label={label}
        maxLength={longest}
        name={name}
        required
        rows={3}
      />
      <Button look="secondary" small wide>
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
