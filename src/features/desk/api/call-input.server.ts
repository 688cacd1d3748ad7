import type { Context } from 'hono';
import { z } from 'zod';
import { rejectionCodes } from '~/features/application/rejection.ts';
import { applicationStatuses } from '~/features/application/status-machine.ts';
import {
  readBytes,
  readFormBody,
  readJson,
  unreadableProblem,
} from '~/platform/input/read-body.server.ts';
import { zodIssues, day } from '~/platform/input/wire.ts';
import { invalidResponse } from './call-refusals.server.ts';
import { payments, shownLists, sortings } from '../queue/list-filter.ts';
import { MAX_REJECTION_REASON_LENGTH } from '../application/decision-types.ts';
import { MAX_PDF_BYTES } from '../application/pdf-rules.ts';

/** Never an address to fetch. */
const document = z
  .string()
  .max(Math.ceil((MAX_PDF_BYTES * 4) / 3) + 100)
  .describe('Id of an uploaded file, or a PDF as data URL');
const optional = document.nullish().transform((value) => value || undefined);

export const approveRequest = z.object({ documentUrl: optional, pdfAttachment: optional });
const rejection = {
  reason: z
    .string()
    .trim()
    .max(MAX_REJECTION_REASON_LENGTH)
    .nullish()
    .describe('Own words; may be left out beside a code other than `other`'),
  reasonCode: z
    .enum(rejectionCodes)
    .nullish()
    .describe('Of the list; without it the words are the reason'),
};
const saysWhy = ({ reason, reasonCode }: { [K in keyof typeof rejection]?: string | null }) =>
  Boolean(reason) || (Boolean(reasonCode) && reasonCode !== 'other');
const reasonRequired = { path: ['reason'], error: 'required' };

export const rejectRequest = z
  .object(rejection)
  .refine(saysWhy, reasonRequired)
  .meta({ minProperties: 1 });
const anyStatus = z.object({
  status: z.enum(applicationStatuses).exclude(['pending']),
  pdfAttachment: optional,
  documentUrl: optional,
  ...rejection,
});
/** By kind: the specified client rejects an insurance without a reason. */
export const statusRequests = {
  visa: anyStatus.refine((asked) => asked.status !== 'rejected' || saysWhy(asked), reasonRequired),
  insurance: anyStatus,
};
export const searchRequest = z.object({
  search: z
    .string()
    .max(200)
    .describe('Name, email or number, in a body because addresses are logged; empty finds all'),
});
export const attachRequest = z.object({ documentUrl: document.min(1) });

/** A raw PDF, which has no name, or a form's `file`. */
export async function uploadedFile(c: Context): Promise<File | null> {
  const type = c.req.header('content-type') ?? '';
  if (type.startsWith('application/pdf')) {
    const raw = await readBytes(c.req.raw);
    return raw.ok ? new File([new Uint8Array(raw.value)], '') : null;
  }
  const form = await readFormBody(c.req.raw);
  const file = form.ok ? form.value.get('file') : null;
  return file instanceof File ? file : null;
}

type ReadCall<T> = { ok: true; data: T } | { ok: false; response: Response };

/** The JSON body of a call, checked; an empty one counts as an empty object. */
export async function readCallBody<T>(c: Context, schema: z.ZodType<T>): Promise<ReadCall<T>> {
  const body = await readJson(c.req.raw, { empty: {} });
  if (!body.ok) return { ok: false, response: unreadableProblem(body.error) };
  const parsed = schema.safeParse(body.value);
  if (parsed.success) return { ok: true, data: parsed.data };
  return { ok: false, response: invalidResponse(zodIssues(parsed.error)) };
}

/** The filters of a list of applications: those of the queue's address. */
export const listQuery = z.object({
  show: z.enum(shownLists).optional().describe('A list of the desk; all without it'),
  sort: z.enum(sortings).optional().describe('due: what to do next comes first'),
  status: z.enum(applicationStatuses).optional(),
  payment: z.enum(payments).optional(),
  nationality: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional(),
  service: z
    .string()
    .regex(/^[\w-]{1,20}$/)
    .optional()
    .describe('processingType, or productId'),
  from: day.optional().describe('First day of application, UTC'),
  to: day.optional().describe('Last day of application, UTC'),
  after: z
    .uuid()
    .optional()
    .describe('Id of the last application of the page before: see the header Link'),
  before: z.uuid().optional().describe('Id of the first one of the page after'),
});
