import { data, type RouterContextProvider } from 'react-router';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { isStorable } from './storable-text.ts';
import { statusOfUnreadable, unreadableContext, type Unreadable } from './unreadable.server.ts';

const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;

const URL_ENCODED = 'application/x-www-form-urlencoded';

/** The same as `formData()`, for which the adapter would make a stream first. */
async function urlEncoded(request: Request): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of new URLSearchParams(await request.text())) form.append(name, value);
  return form;
}

/** The form that a request carries; every text and file name in it can be stored. For calls; pages use `readForm`. */
export async function readFormBody(request: Request): Promise<Outcome<FormData, Unreadable>> {
  const type = FORM.exec(request.headers.get('content-type') ?? '')?.[1]?.toLowerCase();
  if (type === undefined) return refused('wrong_type');
  const form = await (type === URL_ENCODED ? urlEncoded(request) : request.formData()).catch(
    () => null,
  );
  if (!form) return refused('not_a_form');
  for (const [name, value] of form) {
    const text = typeof value === 'string' ? value : value.name;
    if (!isStorable(name) || !isStorable(text)) return refused('bad_characters');
  }
  return ok(form);
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
