import { caseActionNames, caseActions } from '../../src/features/desk/application/case-actions.ts';
import { bulkActionNames, bulkActions } from '../../src/features/desk/several/bulk-actions.ts';
import type { StaffAction } from '../../src/features/staff/roles.ts';

/**
 * Who may use an address of the desk: an action of the roles' table, or an exception. `sign_in`: everybody, as it shows
 * a form; `own`: whoever is signed in, also before the second factor; `link`: whoever has the link. `moves` only
 * redirects to the desk; `none`: nothing can be sent.
 */
export type Access = StaffAction | 'sign_in' | 'own' | 'link' | 'moves' | 'none';

const settingsAccess: Record<string, { open: StaffAction; send: StaffAction | 'none' }> = {
  '/admin/settings': { open: 'close_days', send: 'none' },
  '/admin/settings/prices': { open: 'administer', send: 'administer' },
  '/admin/settings/plans': { open: 'administer', send: 'administer' },
  '/admin/settings/insurance': { open: 'administer', send: 'administer' },
  '/admin/settings/countries': { open: 'administer', send: 'none' },
  '/admin/settings/countries/:code': { open: 'administer', send: 'administer' },
  '/admin/settings/operator': { open: 'administer', send: 'administer' },
  '/admin/settings/certifications': { open: 'administer', send: 'administer' },
  '/admin/settings/retention': { open: 'administer', send: 'administer' },
  '/admin/settings/setup': { open: 'administer', send: 'none' },
  '/admin/settings/closed-days': { open: 'close_days', send: 'close_days' },
  '/admin/settings/authority': { open: 'set_chase', send: 'set_chase' },
  '/admin/settings/templates': { open: 'edit_templates', send: 'none' },
  '/admin/settings/templates/:template': { open: 'edit_templates', send: 'edit_templates' },
};

/** Every page of the desk: who may open it, and who may submit a form. A page without an entry fails the test. */
export const pageAccess: Record<string, { open: Access; send: Access }> = {
  '/admin': { open: 'view_applications', send: 'sign_in' },
  '/admin/applications/:number': { open: 'view_applications', send: 'view_applications' },
  '/admin/applications/:number/copy': { open: 'reveal_numbers', send: 'none' },
  // For its author only: others get a 404.
  '/admin/applications/:number/decision/:id': {
    open: 'view_applications',
    send: 'view_applications',
  },
  '/admin/applications/:number/decision/:id/email': { open: 'view_applications', send: 'none' },
  '/admin/applications/:number/decision/:id/document': { open: 'view_applications', send: 'none' },
  '/admin/orders/:number': { open: 'view_applications', send: 'view_applications' },
  '/admin/for-you': { open: 'view_applications', send: 'view_applications' },
  '/admin/pdfs': { open: 'approve', send: 'approve' },
  '/admin/bulk': { open: 'view_applications', send: 'view_applications' },
  // For whoever added it only: others get a 404.
  '/admin/pdfs/:file': { open: 'approve', send: 'none' },
  '/admin/refunds': { open: 'refund', send: 'none' },
  '/admin/search': { open: 'moves', send: 'view_applications' },
  '/admin/views': { open: 'moves', send: 'view_applications' },
  '/admin/next': { open: 'moves', send: 'view_applications' },
  '/admin/ahead': { open: 'view_applications', send: 'none' },
  // One's own decisions only.
  '/admin/undo': { open: 'moves', send: 'view_applications' },
  '/admin/live': { open: 'view_applications', send: 'none' },
  '/admin/sign-out': { open: 'moves', send: 'moves' },
  // Before signing in it asks for any passkey; adding one asks for session and code.
  '/admin/passkeys': { open: 'moves', send: 'link' },
  '/admin/second-factor': { open: 'own', send: 'own' },
  '/admin/name': { open: 'own', send: 'own' },
  '/admin/account': { open: 'view_applications', send: 'view_applications' },
  '/admin/accounts': { open: 'administer', send: 'administer' },
  '/admin/accounts/:id': { open: 'administer', send: 'administer' },
  ...settingsAccess,
  '/admin/forgotten': { open: 'link', send: 'link' },
  '/admin/reset/:token': { open: 'link', send: 'link' },
  '/admin/invitation/:token': { open: 'link', send: 'link' },
  // Without an identity provider a 404; what it is for is checked there.
  '/admin/single-sign-on': { open: 'link', send: 'none' },
  '/admin/single-sign-on/callback': { open: 'link', send: 'none' },
  '/admin/documents/:id': { open: 'view_applications', send: 'none' },
  '/admin/receipts/:id': { open: 'view_applications', send: 'none' },
  '/admin/photos/:id': { open: 'view_applications', send: 'none' },
  '/admin/message-files/:id': { open: 'view_applications', send: 'none' },
  '/admin/outbox': { open: 'view_outbox', send: 'none' },
  '/admin/payments': { open: 'view_payments', send: 'resolve_alerts' },
  '/admin/privacy': { open: 'administer', send: 'administer' },
  '/admin/privacy/holds': { open: 'administer', send: 'administer' },
  '/admin/privacy/retention': { open: 'administer', send: 'administer' },
  '/admin/privacy/:id': { open: 'administer', send: 'administer' },
  '/admin/privacy/:id/export': { open: 'administer', send: 'none' },
  '/admin/audit': { open: 'view_audit', send: 'view_audit' },
  '/admin/figures': { open: 'view_statistics', send: 'resolve_alerts' },
  '/admin/second-looks': { open: 'second_look', send: 'second_look' },
  // The right for each file is in `reports/files.ts`, and tested there.
  '/admin/figures/:file/csv': { open: 'view_statistics', send: 'none' },
  '/admin/audit/csv': { open: 'view_audit', send: 'none' },
  '/admin/statistics': { open: 'moves', send: 'none' },
  '/admin/statistics/csv': { open: 'moves', send: 'none' },
  '/admin/statistics/applications/csv': { open: 'moves', send: 'none' },
  '/admin/work': { open: 'moves', send: 'none' },
  '/admin/money': { open: 'moves', send: 'none' },
  '/admin/money/ledger/csv': { open: 'moves', send: 'none' },
  '/admin/reconciliation': { open: 'moves', send: 'none' },
  '/admin/reconciliation/:day/csv': { open: 'moves', send: 'none' },
};

/** All settings have one form and its preview; what a second administrator and an author do with a proposal is asked of all. */
const settingsForms = Object.fromEntries(
  Object.entries(settingsAccess).flatMap(([page, { send }]) =>
    send === 'none'
      ? []
      : [
          [
            page,
            {
              review: send,
              edit: send,
              save: send,
              withdraw: send,
              confirm: send,
              decline: send,
              withdraw_proposal: send,
            },
          ] as const,
        ],
  ),
);

/**
 * Every form of a page with several, by its intent. One that a page names and the table does not fails the test. Where
 * ownership matters, the object in `objects.ts` is somebody else's.
 */
export const formAccess: Record<string, Record<string, StaffAction>> = {
  '/admin/applications/:number': Object.fromEntries(
    caseActionNames.map((action) => [action, caseActions[action].right]),
  ),
  '/admin/orders/:number': {
    // What Return submits: it does nothing.
    choose: 'view_applications',
    reject_chosen: 'reject',
    correct_chosen: 'ask_correction',
    check: 'refund',
    edit: 'refund',
    open: 'refund',
    release: 'release_refund',
    retry: 'release_refund',
    // Everybody may withdraw their own.
    withdraw: 'release_refund',
  },
  '/admin/pdfs': { find_files: 'approve', approve_files: 'approve' },
  '/admin/bulk': {
    ...Object.fromEntries(
      bulkActionNames.map((action) => [action, caseActions[bulkActions[action]].right]),
    ),
    // One's own decisions only.
    undo: 'view_applications',
  },
  '/admin/views': {
    save: 'view_applications',
    remove: 'view_applications',
    share: 'share_view',
    unshare: 'share_view',
    start: 'view_applications',
    no_start: 'view_applications',
  },
  '/admin/account': {
    name: 'view_applications',
    password: 'view_applications',
    codes: 'view_applications',
    session: 'view_applications',
    everywhere: 'view_applications',
    passkey_add: 'view_applications',
    passkey_remove: 'view_applications',
    undo: 'view_applications',
  },
  ...settingsForms,
  '/admin/privacy/:id': {
    identity: 'administer',
    erase: 'administer',
    close: 'administer',
  },
  '/admin/privacy/holds': { place: 'administer', lift: 'administer' },
  '/admin/accounts': {
    invite: 'administer',
    withdraw: 'administer',
    role: 'administer',
    sessions: 'administer',
    factor: 'administer',
    reset: 'administer',
    deactivate: 'administer',
    reactivate: 'administer',
  },
};

/** Every call of staff. A call without an entry fails the test. */
export const callAccess: Record<string, StaffAction> = {
  'GET /admin/outbox/:name': 'view_outbox',
  'GET /admin/emails/:id': 'view_applications',
  'GET /admin/live/events': 'view_applications',
  'GET /api/admin/stats': 'view_statistics',
  'POST /api/admin/files': 'attach_document',
  'GET /api/admin/applications': 'view_applications',
  'POST /api/admin/applications/search': 'view_applications',
  'POST /api/admin/applications/:id/claim': 'view_applications',
  'POST /api/admin/applications/:id/approve': 'approve',
  'POST /api/admin/applications/:id/reject': 'reject',
  'POST /api/admin/applications/:id/document': 'attach_document',
  'PATCH /api/admin/applications/:id/status': 'start_processing',
  'GET /api/admin/insurance-applications': 'view_applications',
  'POST /api/admin/insurance-applications/search': 'view_applications',
  'POST /api/admin/insurance-applications/:id/claim': 'view_applications',
  'POST /api/admin/insurance-applications/:id/approve': 'approve',
  'POST /api/admin/insurance-applications/:id/reject': 'reject',
  'POST /api/admin/insurance-applications/:id/document': 'attach_document',
  'PATCH /api/admin/insurance-applications/:id/status': 'start_processing',
  'POST /api/admin/orders/:number/refund-proposal': 'refund',
  'POST /api/admin/orders/:number/refunds': 'refund',
  'POST /api/admin/refunds/:id/release': 'release_refund',
  // Everybody may withdraw their own; the stored one is somebody else's.
  'POST /api/admin/refunds/:id/withdraw': 'release_refund',
};
