import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { may } from '~/features/staff/roles.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { Person } from '../for-you/mentions.ts';
import type { CaseFile, NoteView } from './case-file.server.ts';
import type { CaseFileDone, CaseFileProblem } from './case-file-answer.ts';
import { CaseFileForm } from './case-file-form.tsx';
import { DoneNotice } from './case-file-words.tsx';
import { LONGEST_STAFF_NOTE, LONGEST_WHY, mayCorrect } from '../notes/note.ts';
import { useNextId } from './form-state.tsx';

type Viewer = Pick<Staff, 'id' | 'role'>;

/** The notes of staff on an application, oldest first, and the form for the next. */
export function NoteSection({
  caseFile,
  colleagues,
  viewer,
  done,
  problem,
  now,
}: {
  caseFile: CaseFile;
  /** Who can be mentioned. */
  colleagues: readonly Person[];
  viewer: Viewer;
  done: CaseFileDone | null;
  problem: CaseFileProblem | null;
  now: number;
}) {
  const { t } = useTranslation('case-file');
  const { notes } = caseFile;
  const nextNote = useNextId(caseFile.nextNote, notes);
  return (
    <section className="desk-facts" id="notes">
      <h3>{t('notes.title')}</h3>
      <DoneNotice done={done} of={['note_added', 'note_edited', 'note_struck']} />
      {notes.length === 0 ? <p className="text-ink-2">{t('notes.none')}</p> : null}
      <ol className="desk-history">
        {notes.map((note) => (
          <Note key={note.id} note={note} now={now} problem={problem} viewer={viewer} />
        ))}
      </ol>
      <CaseFileForm
        about={nextNote}
        intent="note"
        label={t('notes.write')}
        longest={LONGEST_STAFF_NOTE}
        mentions={colleagues.filter(({ id }) => id !== viewer.id)}
        problem={problem}
        send={t('notes.add')}
      />
    </section>
  );
}

function Note({
  note,
  viewer,
  problem,
  now,
}: {
  note: NoteView;
  viewer: Viewer;
  problem: CaseFileProblem | null;
  now: number;
}) {
  const { t } = useTranslation('case-file');
  const language = useLanguage();
  const moment = (at: Date) => formatMoment(at, language, UTC, 'dated');
  const { struck, editedAt } = note;
  const mine = mayCorrect(note, viewer.id, now);
  return (
    <li id={`note-${note.id}`}>
      <p>
        {t('notes.written', { name: note.by, moment: moment(note.writtenAt) })}
        {editedAt ? <em> {t('notes.edited', { moment: moment(editedAt) })}</em> : null}
      </p>
      <p className="whitespace-pre-line text-ink" dir="auto">
        {struck ? <s className="text-ink-2">{note.text}</s> : note.text}
      </p>
      {struck ? (
        <p dir="auto">
          {t('notes.struck', { name: struck.by, moment: moment(struck.at), why: struck.why })}
        </p>
      ) : (
        <div className="flex flex-wrap gap-x-5 [&>details[open]]:basis-full">
          {mine ? (
            <CaseFileForm
              about={note.id}
              intent="edit_note"
              label={t('notes.editLabel')}
              longest={LONGEST_STAFF_NOTE}
              problem={problem}
              send={t('notes.save')}
              text={note.text}
              title={t('notes.edit')}
            />
          ) : null}
          {may(viewer.role, 'strike_note') ? (
            <CaseFileForm
              about={note.id}
              intent="strike_note"
              label={t('notes.why')}
              lead={t('notes.strikeLead')}
              longest={LONGEST_WHY}
              problem={problem}
              send={t('notes.strikeSend')}
              title={t('notes.strike')}
            />
          ) : null}
        </div>
      )}
    </li>
  );
}
