import type { AuditAction, AuditSubject } from '~/features/staff/audit-words.ts';
import type { Role, StaffAction } from '~/features/staff/roles.ts';
import type { Platform } from '~/platform/platform.server.ts';

type AskedFile = { platform: Platform; query: URLSearchParams; role: Role };

/** A file, and what the audit trail says of who took it. */
type OpenedFile = {
  action: AuditAction;
  subject: { kind: AuditSubject; id: string };
  detail?: Record<string, string | null>;
  file: Response;
};

/** A file of the desk for download. `open`: null where there is nothing to download. */
export type DeskFile = {
  right: StaffAction;
  open: (asked: AskedFile) => Promise<OpenedFile | null>;
};
