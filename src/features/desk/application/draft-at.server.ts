import type { RouterContextProvider } from 'react-router';
import { audit } from '~/features/staff/audit.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Application } from '~/features/application/store.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import { findApplication } from './detail.server.ts';
import type { Draft } from './draft-store.server.ts';
import { openDraft } from './draft.server.ts';

/** The draft at an address, for its author alone; null for others. The view is recorded. */
export async function draftAt(
  args: { request: Request; context: Readonly<RouterContextProvider> },
  { number, id }: { number: string; id: string },
): Promise<{ staff: Staff; application: Application; draft: Draft } | null> {
  const staff = await requireStaff(args);
  const platform = args.context.get(platformContext);
  const application = await findApplication(platform.db, number);
  const draft = application && (await openDraft(platform, staff, { application, id }));
  if (!application || !draft) return null;
  if (args.request.method === 'GET') {
    await audit(platform.db, {
      at: platform.now(),
      staffId: staff.id,
      action: 'application_viewed',
      subject: { kind: 'application', id: application.id },
      detail: { draft: draft.kind },
    });
  }
  return { staff, application, draft };
}
