import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import { application } from '~/features/application/tables.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { prepareOnce } from '~/platform/postgres/prepare-once.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { UNNAMED } from '~/platform/postgres/statements.server.ts';
import type { UndoableKind } from './undoable.ts';
import { deskDecision } from './tables.server.ts';

/** A decision that its author can still undo. */
export type UndoableDecision = {
  id: string;
  number: string;
  name: string;
  kind: UndoableKind;
  /** Milliseconds left. */
  left: number;
  /** Milliseconds since it was taken. */
  age: number;
};

/** One statement, as every page of the desk runs it. */
const ownUndoable = prepareOnce((db) =>
  db
    .select({
      id: deskDecision.id,
      kind: deskDecision.kind,
      at: deskDecision.at,
      undoUntil: deskDecision.undoUntil,
      number: application.number,
      firstName: application.firstName,
      lastName: application.lastName,
    })
    .from(deskDecision)
    .innerJoin(application, eq(application.id, deskDecision.applicationId))
    .where(
      and(
        eq(deskDecision.staffId, sql.placeholder('staffId')),
        gt(deskDecision.undoUntil, sql.placeholder('now')),
        isNull(deskDecision.undoneAt),
      ),
    )
    .orderBy(desc(deskDecision.at))
    .prepare(UNNAMED),
);

/** This person's decisions that can be undone now, the newest first. */
export async function undoableDecisions(
  db: Queryable,
  { id: staffId }: Pick<Staff, 'id'>,
  now: Date,
): Promise<UndoableDecision[]> {
  const rows = await ownUndoable(db).execute({ staffId, now });
  return rows.map(({ id, kind, number, at, undoUntil, ...name }) => ({
    id,
    kind,
    number,
    name: `${name.lastName}, ${name.firstName}`,
    left: undoUntil.getTime() - now.getTime(),
    age: now.getTime() - at.getTime(),
  }));
}
