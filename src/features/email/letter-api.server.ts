import { Hono } from 'hono';
import { isUuid } from '~/base/uuid.ts';
import { letterById } from '~/features/application/email-store.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import {
  allowedCallsOnly,
  openedByStaffOnly,
  type StaffEnv,
} from '~/features/staff/require.server.ts';
import { mailAnswer } from '~/platform/mail/mail-answer.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { readKept } from './stored-letter.server.ts';
import { letterHtml } from './layout/letter-html.tsx';

/** A kept e-mail as it looked, for staff; its own links lead nowhere. Each look is written down. */
export function letterApi(platform: Platform) {
  const { db, sealer, config, now } = platform;
  const app = new Hono<StaffEnv>();
  app.get(
    '/admin/letters/:id',
    openedByStaffOnly(platform, '/admin'),
    allowedCallsOnly('view_applications'),
    async (c) => {
      const id = c.req.param('id');
      const found = isUuid(id) ? await letterById(db, sealer, id) : null;
      const letter = readKept(found?.letter.content?.letter);
      if (!found || !letter) return c.notFound();
      for (const applicationId of found.applicationIds) {
        await audit(db, {
          at: now(),
          staffId: c.var.staff.id,
          action: 'letter_viewed',
          subject: { kind: 'application', id: applicationId },
          detail: { letterId: id, kind: found.letter.kind },
        });
      }
      return mailAnswer(letterHtml(letter, config.publicUrl));
    },
  );
  return app;
}
