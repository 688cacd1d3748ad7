import { data, type RouterContextProvider } from 'react-router';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { SMALL_BODY_BYTES } from './body-limit.ts';
import { readBytes } from './read-bytes.server.ts';
import { takesFiles } from './limit-body.server.ts';
import { isStorable } from './storable-text.ts';
import { statusOfUnreadable, unreadableContext, type Unreadable } from './unreadable.server.ts';

const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;
const URL_ENCODED = 'application/x-www-form-urlencoded';
/** Fields of a form. The desk's largest, a refund of ten travellers or a batch of PDFs, have a few hundred. */
export const MAX_FIELDS = 1000;
/** In bytes, of one part of a form: its delimiter, its name and the name of its file. */
const MAX_PART_HEAD = 4096;
const BOUNDARY = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i;

/** The form that a request carries; every text and file name in it can be stored. For calls; pages use `readForm`. */
export async function readFormBody(request: Request): Promise<Outcome<FormData, Unreadable>> {
  const contentType = request.headers.get('content-type') ?? '';
  const type = FORM.exec(contentType)?.[1]?.toLowerCase();
  if (type === undefined) return refused('wrong_type');
  const read = await (type === URL_ENCODED ? urlEncoded(request) : multipart(request, contentType));
  if (!read.ok) return read;
  for (const [name, value] of read.value) {
    const text = typeof value === 'string' ? value : value.name;
    if (!isStorable(name) || !isStorable(text)) return refused('bad_characters');
  }
  return read;
}

/** The same as `formData()`, for which the adapter would make a stream first. */
async function urlEncoded(request: Request): Promise<Outcome<FormData, Unreadable>> {
  const text = await request.text().catch(() => null);
  if (text === null) return refused('not_a_form');
  // Files never come so: it is no longer than any other text.
  if (text.length > SMALL_BODY_BYTES || occurs(text, '&', MAX_FIELDS)) {
    return refused('too_many_fields');
  }
  const form = new FormData();
  for (const [name, value] of new URLSearchParams(text)) form.append(name, value);
  return ok(form);
}

/**
 * The same as `formData()`, which copies every file four times and reads any number of parts and of lines in their heads
 * (https://html.spec.whatwg.org/#multipart-form-data, RFC 7578). An address that is not in the list of those that take
 * files gets none, however its form is written.
 */
async function multipart(
  request: Request,
  contentType: string,
): Promise<Outcome<FormData, Unreadable>> {
  const body = await readBytes(request);
  const [, quoted, bare] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (!body.ok || boundary === undefined) return refused('not_a_form');
  const bytes = body.value;
  const delimiter = `--${boundary}`;
  const hasFiles = takesFiles(new URL(request.url).pathname);
  const form = new FormData();
  let characters = 0;
  let at = bytes.indexOf(delimiter);
  for (let fields = 0; at !== -1; fields += 1) {
    const start = at + delimiter.length;
    if (bytes.toString('latin1', start, start + 2) === '--') return ok(form);
    if (fields >= MAX_FIELDS) return refused('too_many_fields');
    const headLength = bytes.subarray(start, start + MAX_PART_HEAD).indexOf('\r\n\r\n');
    if (headLength === -1) break;
    const head = bytes.toString('utf8', start, start + headLength);
    const content = start + headLength + 4;
    const end = bytes.indexOf(`\r\n${delimiter}`, content);
    const name = parameter(head, 'name');
    if (name === null || end === -1) break;
    const fileName = parameter(head, 'filename');
    if (fileName === null) {
      characters += end - content;
      if (characters > SMALL_BODY_BYTES) return refused('too_many_fields');
      form.append(name, bytes.toString('utf8', content, end));
    } else if (hasFiles) {
      const type = /^content-type:[ \t]*(.*)$/im.exec(head)?.[1]?.trim();
      form.append(name, new File([bytes.subarray(content, end)], fileName, { type }));
    }
    at = end + 2;
  }
  return refused('not_a_form');
}

/** A parameter of a part's `Content-Disposition`, as browsers write it: line ends and quotes are encoded. */
function parameter(head: string, name: string): string | null {
  const [, disposition = ''] = /^content-disposition:[ \t]*form-data(.*)$/im.exec(head) ?? [];
  const pattern = new RegExp(`;[ \\t]*${name}=(?:"([^"]*)"|([^\\s;"]+))`, 'i');
  const [, quoted, bare] = pattern.exec(disposition) ?? [];
  const written = quoted ?? bare;
  if (written === undefined) return null;
  return written.replaceAll(/%0d/gi, '\r').replaceAll(/%0a/gi, '\n').replaceAll('%22', '"');
}

/** Whether `part` occurs more than `most` times; looks no further than that. */
function occurs(text: string, part: string, most: number): boolean {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) {
    count += 1;
    if (count > most) return true;
  }
  return false;
}

/**
 * The form that a page was sent.
 * @throws 400 or 415 to the router; the visitor is told by a page in their language
 */
export async function readForm({
  request,
  context,
}: {
  request: Request;
  context: Readonly<RouterContextProvider>;
}): Promise<FormData> {
  const read = await readFormBody(request);
  if (read.ok) return read.value;
  context.set(unreadableContext, read.error);
  throw data(null, { status: statusOfUnreadable(read.error) });
}
