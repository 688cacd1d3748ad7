import { Hono } from 'hono';
import { isUuid } from '~/base/uuid.ts';
import { emailWithApplications } from '~/features/application/change-email.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import {
  requireAllowedCall,
  requireStaffPage,
  type StaffEnv,
} from '~/features/staff/require.server.ts';
import { mailAnswer } from '~/platform/http/mail-answer.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { readStored } from './layout/content.server.ts';
import { emailHtml } from './layout/email-html.tsx';

/** A stored email as it looked, for staff; its own links are removed. Each view is recorded in the audit trail. */
export function emailApi(platform: Platform) {
  const { db, sealer, config, now } = platform;
  const app = new Hono<StaffEnv>();
  app.get(
    '/admin/emails/:id',
    requireStaffPage(platform, '/admin'),
    requireAllowedCall('view_applications'),
    async (c) => {
      const id = c.req.param('id');
      const found = isUuid(id) ? await emailWithApplications(db, sealer, id) : null;
      const content = readStored(found?.email.content?.body);
      if (!found || !content) return c.notFound();
      for (const applicationId of found.applicationIds) {
        await audit(db, {
          at: now(),
          staffId: c.var.staff.id,
          action: 'email_viewed',
          subject: { kind: 'application', id: applicationId },
          detail: { emailId: id, kind: found.email.kind },
        });
      }
      return mailAnswer(emailHtml(content, config.publicUrl));
    },
  );
  return app;
}
