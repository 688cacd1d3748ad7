import type { Staff } from '~/features/staff/staff.ts';
import type { Detail } from '../records/detail.server.ts';
import { useNow } from '../frame/use-now.tsx';
import { AttemptSection } from './attempt-section.tsx';
import type { Dossier } from './dossier.server.ts';
import type { DossierDone, DossierProblem } from './dossier-answer.ts';
import { EmailSection } from './email-section.tsx';
import { LetterSection } from './letter-section.tsx';
import { NoteSection } from './note-section.tsx';
import { TimelineSection } from './timeline-section.tsx';

/** What staff know of an application beside its answers. */
export function DossierSections({
  application,
  dossier,
  viewer,
  done,
  problem,
  now: madeAt,
}: {
  application: Detail;
  dossier: Dossier;
  viewer: Pick<Staff, 'id' | 'role'>;
  /** What has just been done. */
  done: DossierDone | null;
  problem: DossierProblem | null;
  now: number;
}) {
  const now = useNow(madeAt);
  return (
    <>
      <NoteSection dossier={dossier} done={done} now={now} problem={problem} viewer={viewer} />
      <EmailSection done={done} dossier={dossier} problem={problem} role={viewer.role} />
      <LetterSection done={done} letters={dossier.letters} problem={problem} role={viewer.role} />
      <AttemptSection application={application} dossier={dossier} />
      <TimelineSection application={application} dossier={dossier} />
    </>
  );
}
