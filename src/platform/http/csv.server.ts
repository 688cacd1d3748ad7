import { csvLine, type CsvCell } from '~/base/csv.ts';

/** Without it Excel reads a CSV file in the system's 8-bit encoding instead of UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

/** Characters that are sent together: a hundred lines or so, instead of a packet for every line. */
const CHUNK = 16_384;

/** The columns of a file in their order, by their names, which are part of its format and stay English. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvCell>>;

/**
 * A CSV file for download, sent while its rows are being read, and read no faster than it is taken. `name` without the
 * ending, letters, digits and hyphens only. `no-transform`: what is compressed for one visitor is held in memory whole.
 */
export function csvDownload<Row>(
  name: string,
  columns: CsvColumns<Row>,
  rows: AsyncIterable<Row>,
): Response {
  if (!/^[\w-]+$/.test(name)) throw new RangeError('The name of a file');
  const bytes = new TextEncoder();
  const cells = Object.values(columns);
  const source = rows[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>({
    start: (out) => out.enqueue(bytes.encode(BYTE_ORDER_MARK + csvLine(Object.keys(columns)))),
    async pull(out) {
      let text = '';
      let isDone = false;
      while (!isDone && text.length < CHUNK) {
        const { done, value } = await source.next();
        if (done) isDone = true;
        else text += csvLine(cells.map((cell) => cell(value)));
      }
      if (text !== '') out.enqueue(bytes.encode(text));
      if (isDone) out.close();
    },
    cancel: async () => void (await source.return?.()),
  });
  return new Response(body, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}.csv"`,
      'Cache-Control': 'no-store, no-transform',
      'X-Content-Type-Options': 'nosniff',
      'X-Robots-Tag': 'noindex',
    },
  });
}
