import type { Staff } from '~/features/staff/staff.ts';
import type { Detail } from '../records/detail.server.ts';
import { useNow } from '~/ui/use-now.tsx';
import { AttemptSection } from './attempt-section.tsx';
import type { Person } from '../for-you/mentions.ts';
import type { CaseFile } from './case-file.server.ts';
import type { CaseFileDone, CaseFileProblem } from './case-file-answer.ts';
import { EmailAddressSection } from './email-address-section.tsx';
import { EmailsSection } from './emails-section.tsx';
import { NoteSection } from './note-section.tsx';
import { TimelineSection } from './timeline-section.tsx';

/** Notes, emails, attempts, timeline and duplicates of an application. */
export function CaseFileSections({
  application,
  caseFile,
  colleagues,
  viewer,
  done,
  problem,
  now: madeAt,
}: {
  application: Detail;
  caseFile: CaseFile;
  /** Who can be mentioned in a note. */
  colleagues: readonly Person[];
  viewer: Pick<Staff, 'id' | 'role'>;
  /** The result of the form just sent. */
  done: CaseFileDone | null;
  problem: CaseFileProblem | null;
  now: number;
}) {
  const now = useNow(madeAt);
  return (
    <>
      <NoteSection
        caseFile={caseFile}
        colleagues={colleagues}
        done={done}
        now={now}
        problem={problem}
        viewer={viewer}
      />
      <EmailAddressSection done={done} caseFile={caseFile} problem={problem} role={viewer.role} />
      <EmailsSection done={done} emails={caseFile.emails} problem={problem} role={viewer.role} />
      <AttemptSection application={application} caseFile={caseFile} />
      <TimelineSection application={application} caseFile={caseFile} />
    </>
  );
}
