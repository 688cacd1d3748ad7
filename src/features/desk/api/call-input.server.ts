import type { Context } from 'hono';
import { z } from 'zod';
import { rejectionCodes } from '~/features/application/rejection.ts';
import { applicationStatuses } from '~/features/application/status-machine.ts';
import { readBytes } from '~/platform/input/read-bytes.server.ts';
import { readFormBody } from '~/platform/input/read-form.server.ts';
import { readJson } from '~/platform/input/read-json.server.ts';
import { unreadableProblem } from '~/platform/input/unreadable.server.ts';
import { invalid } from './call-refusals.server.ts';
import { LONGEST_REASON } from '../decision/decision.ts';
import { MAX_PDF_BYTES } from '../visa-document/pdf-rules.ts';

/** Id of an uploaded file, or a PDF data URL; never an address to fetch. */
const document = z.string().max(Math.ceil((MAX_PDF_BYTES * 4) / 3) + 100);
const optional = document.nullish().transform((value) => value || undefined);

export const approveRequest = z.object({ documentUrl: optional, pdfAttachment: optional });
const rejection = {
  /** The reviewer's own words; optional beside a code with a text of its own. */
  reason: z.string().trim().max(LONGEST_REASON).nullish(),
  /** A code of the list; without it the words are the reason. */
  reasonCode: z.enum(rejectionCodes).nullish(),
};
const saysWhy = ({ reason, reasonCode }: { [K in keyof typeof rejection]?: string | null }) =>
  Boolean(reason) || (Boolean(reasonCode) && reasonCode !== 'other');
const reasonRequired = { path: ['reason'], error: 'required' };

export const rejectRequest = z.object(rejection).refine(saysWhy, reasonRequired);
export const statusRequest = z
  .object({
    status: z.enum(applicationStatuses).exclude(['pending']),
    pdfAttachment: optional,
    documentUrl: optional,
    ...rejection,
  })
  .refine((asked) => asked.status !== 'rejected' || saysWhy(asked), reasonRequired);
/** Name, email or number, in a body because addresses are logged. */
export const searchRequest = z.object({ search: z.string().max(200) });
export const attachRequest = z.object({ documentUrl: document.min(1) });

/** The bytes of a raw PDF or of a form's `file`. */
export async function uploadedBytes(c: Context): Promise<Uint8Array | null> {
  const type = c.req.header('content-type') ?? '';
  if (type.startsWith('application/pdf')) {
    const raw = await readBytes(c.req.raw);
    return raw.ok ? raw.value : null;
  }
  const form = await readFormBody(c.req.raw);
  const file = form.ok ? form.value.get('file') : null;
  return file instanceof File ? new Uint8Array(await file.arrayBuffer()) : null;
}

export type Read<T> = { ok: true; data: T } | { ok: false; response: Response };

/** The JSON body of a call, checked; an empty one counts as an empty object. */
export async function read<T>(c: Context, schema: z.ZodType<T>): Promise<Read<T>> {
  const body = await readJson(c.req.raw, { empty: {} });
  if (!body.ok) return { ok: false, response: unreadableProblem(body.error) };
  const parsed = schema.safeParse(body.value);
  if (parsed.success) return { ok: true, data: parsed.data };
  const errors = Object.fromEntries(
    parsed.error.issues.map((issue) => [
      issue.path.join('.') || 'body',
      issue.code === 'custom' ? issue.message : issue.code,
    ]),
  );
  return { ok: false, response: invalid(errors) };
}
