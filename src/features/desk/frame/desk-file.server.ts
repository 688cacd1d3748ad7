import type { AuditAction, AuditSubject } from '~/features/staff/audit-words.ts';
import type { StaffAction } from '~/features/staff/roles.ts';
import type { Platform } from '~/platform/platform.server.ts';

type AskedFile = {
  platform: Platform;
  query: URLSearchParams;
  params: Readonly<Partial<Record<string, string>>>;
};

/** A file, and what the audit trail says of who took it. */
type OpenedFile = {
  action: AuditAction;
  subject: { kind: AuditSubject; id: string };
  detail?: Record<string, string | null>;
  file: Response;
};

/** A file of the desk for download. `open`: null where there is nothing to download. */
export type DeskFile = {
  right: (query: URLSearchParams) => StaffAction;
  open: (asked: AskedFile) => OpenedFile | null | Promise<OpenedFile | null>;
};
