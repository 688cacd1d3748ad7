import { data, type RouterContextProvider } from 'react-router';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { isStorable } from './storable-text.ts';
import { statusOfUnreadable, unreadableContext, type Unreadable } from './unreadable.server.ts';

const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;

/** The form that a request carries; every text and file name in it can be stored. For calls; pages use `readForm`. */
export async function readFormBody(request: Request): Promise<Outcome<FormData, Unreadable>> {
  if (!FORM.test(request.headers.get('content-type') ?? '')) return refused('wrong_type');
  const form = await request.formData().catch(() => null);
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
