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

/** One page and where its neighbours begin, null where there is none. */
export type RowPage<T> = { rows: T[]; newer: string | null; older: string | null };

/** What is read of a list: rows newest first after a cursor, or, backwards, oldest first before it. */
export type Place = { cursor: Cursor | null; backwards: boolean; limit: number };

/** Rows on one page. */
const PAGE = 50;

/** The page of a list that an address asks for by a cursor: `newer` or `older`, of which the first takes precedence. */
export async function readPage<T>(
  query: URLSearchParams,
  read: (place: Place) => Promise<readonly T[]>,
  cursorOf: (row: T) => Cursor,
  size: number = PAGE,
): Promise<RowPage<T>> {
  const backwards = query.has('newer');
  const cursor = readCursor(query.get('newer') ?? query.get('older'));
  // One more than the page says that there is more.
  const found = await read({ cursor, backwards, limit: size + 1 });
  const hasMore = found.length > size;
  const rows = backwards ? found.slice(0, size).toReversed() : found.slice(0, size);
  const [first, last] = [rows[0], rows.at(-1)];
  const hasNewer = backwards ? hasMore : cursor !== null;
  const hasOlder = backwards ? cursor !== null : hasMore;
  return {
    rows,
    newer: hasNewer && first ? writeCursor(cursorOf(first)) : null,
    older: hasOlder && last ? writeCursor(cursorOf(last)) : null,
  };
}

const ROWS_AT_ONCE = 1000;

/** Every row of a list that is read page by page, `limit` rows after the last one of the page before. */
export async function* everyRow<T>(
  read: (after: T | null, limit: number) => Promise<readonly T[]>,
): AsyncGenerator<T> {
  for (let after: T | null = null; ;) {
    const rows: readonly T[] = await read(after, ROWS_AT_ONCE);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last;
  }
}
