/** The place after which a list continues that is sorted by moment and id, newest first. */
export type Cursor = { readonly at: Date; readonly id: string };

const SHAPE = /^(\d{1,15})\.([\w-]{1,64})$/;

export const writeCursor = ({ at, id }: Cursor): string => `${at.getTime()}.${id}`;

/** Null for what is no cursor. The id is not checked further. */
export function readCursor(text: string | null): Cursor | null {
  const match = SHAPE.exec(text ?? '');
  const at = new Date(Number(match?.[1]));
  return match && !Number.isNaN(at.getTime()) ? { at, id: match[2] ?? '' } : null;
}

/** One page and where its neighbours begin. `rows` may hold one more than the page, which says that there is more. */
export type Page<T> = { rows: T[]; newer: string | null; older: string | null };

/**
 * Makes a page of what was read: `size` + 1 rows after a cursor, newest first, or before one, oldest first. Null where
 * there is no neighbour.
 */
export function pageOf<T>(
  read: readonly T[],
  cursorOf: (row: T) => Cursor,
  { size, cursor, backwards }: { size: number; cursor: Cursor | null; backwards: boolean },
): Page<T> {
  const hasMore = read.length > size;
  const rows = backwards ? read.slice(0, size).toReversed() : read.slice(0, size);
  const [first, last] = [rows[0], rows.at(-1)];
  const hasNewer = backwards ? hasMore : cursor !== null;
  const hasOlder = backwards ? cursor !== null : hasMore;
  return {
    rows,
    newer: hasNewer && first ? writeCursor(cursorOf(first)) : null,
    older: hasOlder && last ? writeCursor(cursorOf(last)) : null,
  };
}
