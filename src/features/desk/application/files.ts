import { isUuid } from '~/base/uuid.ts';
import { previewDecision } from '~/features/email/preview.server.ts';
import { submittedPhoto } from '~/features/insurance/store/photo-store.server.ts';
import {
  receiptPdf,
  storedReceiptNumber,
  receiptById,
} from '~/features/order/receipt/issue-receipt.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import type { StaffAction } from '~/features/staff/roles.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { PRIVATE_PAGE } from '~/platform/http/request.server.ts';
import { waitingUpload } from '../several/waiting-pdfs.server.ts';
import { messageFileById } from '~/features/application/messages/messages.server.ts';
import { openDecisionDraft } from './draft.server.ts';
import { documentById } from './store.server.ts';
import type { Route } from './+types/files.ts';

type Asked = Pick<Route.LoaderArgs, 'request' | 'context'> & {
  platform: Platform;
  staff: Staff;
  params: Readonly<Partial<Record<string, string>>>;
};

/** `seen`: what the audit trail says of whose file it is. */
type Opened = {
  body: string | Buffer;
  type: string;
  name?: string;
  /** Never shown by the browser. */
  isDownload?: boolean;
  policy?: string;
  seen?: Omit<Parameters<typeof audit>[1], 'at' | 'staffId'>;
};

/** `open`: null for an unknown one. */
type DeskFile = { right: StaffAction; open: (asked: Asked) => Promise<Opened | null> };

/** Of the email in the preview: our pictures and inline styles; no scripts, no links out of the frame, no origin. */
const EMAIL_POLICY = `sandbox; default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'`;
/** A file is shown by the browser's own reader without access to our origin. */
const filePolicy = (frameAncestors: "'none'" | "'self'") =>
  `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors ${frameAncestors}`;

/** What staff open of an application as a file, by its address as React Router names it. */
const files: Readonly<Record<string, DeskFile>> = {
  /** The email that a decision would send, for its author alone. */
  'admin/applications/:number/decision/:id/email': {
    right: 'view_applications',
    async open(asked) {
      const at = await draftOf(asked);
      if (!at) return null;
      const { html } = await previewDecision(asked.platform, at.application, at.draft);
      return { body: html, type: 'text/html; charset=utf-8', policy: EMAIL_POLICY };
    },
  },
  /** The PDF that it would deliver. */
  'admin/applications/:number/decision/:id/document': {
    right: 'view_applications',
    async open(asked) {
      const opened = await storedPdf(asked, (await draftOf(asked))?.draft.fileId);
      return opened && { ...opened, policy: filePolicy("'self'") };
    },
  },
  /** A PDF that waits for its application, for the person who added it. */
  'admin/pdfs/:file': {
    right: 'approve',
    async open({ platform, staff, params: { file = '' } }) {
      const waiting = await waitingUpload(platform.db, staff.id, file);
      const opened = await storedPdf({ platform }, waiting?.fileId);
      return opened && { ...opened, policy: filePolicy("'self'") };
    },
  },
  /** A delivered PDF. */
  'admin/documents/:id': {
    right: 'view_applications',
    async open({ platform, params: { id = '' } }) {
      const document = isUuid(id) ? await documentById(platform.db, id) : null;
      const opened = await storedPdf({ platform }, document?.fileId);
      if (!document || !opened) return null;
      const subject = { kind: 'application', id: document.applicationId } as const;
      return {
        ...opened,
        seen: { action: 'document_viewed', subject, detail: { documentId: id } },
      };
    },
  },
  /** A photo of a parent's ID. */
  'admin/photos/:id': {
    right: 'view_applications',
    async open({ platform, params: { id = '' } }) {
      const photo = isUuid(id) ? await submittedPhoto(platform.db, id) : null;
      const file = photo && (await platform.files.read(photo.fileId));
      if (!file) return null;
      const subject = { kind: 'application', id: photo.applicationId } as const;
      const seen = { action: 'photo_viewed', subject, detail: { photoId: id } } as const;
      return { body: file.bytes, type: file.mediaType, name: 'parent-id.jpg', seen };
    },
  },
  /** A file that came with a message: only ever downloaded, under a name of ours, as nobody checked what is in it. */
  'admin/message-files/:id': {
    right: 'view_applications',
    async open({ platform, params: { id = '' } }) {
      const found = isUuid(id) ? await messageFileById(platform.db, id) : null;
      const file = found && (await platform.files.read(found.fileId));
      if (!file) return null;
      const subject = { kind: 'application', id: found.applicationId } as const;
      const seen = { action: 'message_file_viewed', subject, detail: { fileId: id } } as const;
      const name = `attachment.${file.mediaType.replace(/^.*\//, '')}`;
      return { body: file.bytes, type: file.mediaType, name, isDownload: true, seen };
    },
  },
  /** A receipt or credit note as the payer gets it. */
  'admin/receipts/:id': {
    right: 'view_applications',
    async open({ platform, params: { id = '' } }) {
      const receipt = isUuid(id) ? await receiptById(platform.db, id) : null;
      if (!receipt) return null;
      const subject = { kind: 'order', id: receipt.orderId } as const;
      const seen = { action: 'receipt_viewed', subject, detail: { receiptId: id } } as const;
      return { ...pdf(await receiptPdf(receipt), storedReceiptNumber(receipt)), seen };
    },
  },
};

const pdf = (body: Buffer, name = 'document') => ({
  body,
  type: 'application/pdf',
  name: `${name}.pdf`,
});

async function storedPdf({ platform }: Pick<Asked, 'platform'>, fileId: string | null | undefined) {
  const file = fileId ? await platform.files.read(fileId) : undefined;
  return file ? pdf(file.bytes) : null;
}

const draftOf = ({ params: { number = '', id = '' }, ...args }: Asked) =>
  openDecisionDraft(args, { number, id });

/** A file, for those who may have it; who saw what of a traveller is recorded first. */
export async function loader({ request, context, params, pattern }: Route.LoaderArgs) {
  const file = files[pattern];
  if (!file) throw new Error(`No file at ${pattern}`);
  const { staff, platform } = await requireDesk({ request, context }, file.right);
  const opened = await file.open({ request, context, params, platform, staff });
  if (!opened) return new Response(null, { status: 404 });
  const { body, type, name, isDownload = false, policy = filePolicy("'none'"), seen } = opened;
  const shown = isDownload ? 'attachment' : 'inline';
  if (seen) await audit(platform.db, { at: platform.now(), staffId: staff.id, ...seen });
  return new Response(typeof body === 'string' ? body : new Uint8Array(body), {
    headers: {
      'Content-Type': type,
      ...(name !== undefined && { 'Content-Disposition': `${shown}; filename="${name}"` }),
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      ...PRIVATE_PAGE,
    },
  });
}
