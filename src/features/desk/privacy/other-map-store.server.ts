import { country } from '~/features/catalog/tables.server.ts';
import { deletionRecord, erasedApplication, privacyCase } from './tables.server.ts';
import { insurancePlan, insuranceTerms } from '~/features/insurance/store/tables.server.ts';
import { deskView } from '../queue/tables.server.ts';
import { settingChange, settingProposal } from '~/features/settings/tables.server.ts';
import {
  auditEntry,
  auditSeal,
  staffAccount,
  staffAccountChange,
  staffInvitation,
  staffPasskey,
  staffRecoveryCode,
  staffReset,
  staffSession,
} from '~/features/staff/tables.server.ts';
import { backup } from '~/platform/backup/tables.server.ts';
import { idempotencyKey, rateLimit } from '~/platform/postgres/tables.server.ts';
import { mapped, type MappedTable } from './data-map.server.ts';

const ACCESS = 'to let staff in, and nobody else';

/** Requests about data, staff, settings, and what the service keeps of itself. */
export const otherMap: readonly MappedTable[] = [
  mapped(privacyCase, {
    about: 'request',
    purpose: 'to answer requests about personal data and to prove it',
    kept: ['privacyCase'],
    erasure: 'kept',
    rows: [['id', 'caseIds']],
    columns: {
      shown: [
        'kind',
        'law',
        'arrival',
        'arrivedOn',
        'language',
        'identityCheck',
        'identityAt',
        'extendedAt',
        'erasedAt',
        'outcome',
        'closedAt',
        'openedAt',
      ],
      sealed: ['given', 'extensionWhy', 'answer'],
      // Ids of rows that an export has anyway.
      withheld: ['chosen'],
      staff: ['openedBy', 'identityBy', 'extendedBy', 'erasedBy', 'closedBy'],
      internal: ['id'],
    },
  }),
  mapped(deletionRecord, {
    about: 'nobody',
    purpose: 'to prove that data was deleted',
    kept: ['privacyCase'],
    erasure: 'none',
    columns: { internal: ['id', 'at', 'cause', 'caseId', 'deleted', 'changed', 'files'] },
  }),
  mapped(erasedApplication, {
    about: 'nobody',
    purpose: 'to tell staff that an application was erased on request',
    kept: ['privacyCase'],
    erasure: 'none',
    columns: { hashed: ['numberHash'], internal: ['erasedAt'] },
  }),
  mapped(staffAccount, {
    about: 'staff',
    purpose: ACCESS,
    kept: [],
    erasure: 'none',
    rows: [['id', 'staffIds']],
    columns: {
      shown: [
        'email',
        'name',
        'role',
        'active',
        'appearance',
        'undoSeconds',
        'createdAt',
        'roleSince',
      ],
      withheld: ['totpSecret'],
      hashed: ['passwordHash'],
      internal: ['id', 'totpStep', 'startView', 'named'],
    },
  }),
  mapped(staffAccountChange, {
    about: 'staff',
    purpose: 'to know who was called what when',
    kept: ['logs'],
    erasure: 'none',
    rows: [
      ['accountId', 'staffIds'],
      ['changedBy', 'staffIds'],
    ],
    columns: {
      shown: ['at'],
      sealed: ['content'],
      staff: ['changedBy'],
      internal: ['id', 'accountId'],
    },
  }),
  mapped(deskView, {
    about: 'staff',
    purpose: 'to keep the lists of applications that staff have named',
    kept: [],
    erasure: 'none',
    rows: [['staffId', 'staffIds']],
    columns: {
      shown: ['name', 'query', 'shared', 'createdAt'],
      staff: ['staffId'],
      internal: ['id'],
    },
  }),
  mapped(staffSession, {
    about: 'staff',
    purpose: ACCESS,
    kept: ['staffSession'],
    erasure: 'none',
    rows: [['accountId', 'staffIds']],
    columns: {
      shown: ['device', 'method', 'createdAt', 'seenAt', 'provedAt', 'expiresAt', 'endedAt'],
      hashed: ['tokenHash'],
      internal: ['id', 'accountId', 'half', 'provedFactor'],
    },
  }),
  mapped(staffPasskey, {
    about: 'staff',
    purpose: ACCESS,
    kept: [],
    erasure: 'none',
    rows: [['accountId', 'staffIds']],
    columns: {
      shown: ['name', 'createdAt', 'usedAt'],
      internal: ['id', 'accountId', 'publicKey', 'counter'],
    },
  }),
  mapped(staffInvitation, {
    about: 'staff',
    purpose: ACCESS,
    kept: [],
    erasure: 'none',
    rows: [['email', 'staffEmails']],
    columns: {
      shown: ['email', 'name', 'role', 'createdAt', 'expiresAt', 'endedAt'],
      hashed: ['tokenHash'],
      staff: ['invitedBy'],
      internal: ['id'],
    },
  }),
  mapped(staffReset, {
    about: 'staff',
    purpose: ACCESS,
    kept: ['passwordLink'],
    erasure: 'none',
    rows: [['accountId', 'staffIds']],
    columns: {
      shown: ['askedBy', 'createdAt', 'expiresAt', 'endedAt'],
      hashed: ['tokenHash'],
      internal: ['id', 'accountId'],
    },
  }),
  mapped(staffRecoveryCode, {
    about: 'staff',
    purpose: ACCESS,
    kept: [],
    erasure: 'none',
    rows: [['accountId', 'staffIds']],
    columns: { shown: ['usedAt'], hashed: ['codeHash'], internal: ['accountId'] },
  }),
  mapped(auditEntry, {
    about: 'staff',
    purpose: 'to know who saw or did what',
    kept: ['logs'],
    // Ids, which lead to nobody once the rows they are of are gone.
    erasure: 'kept',
    rows: [
      ['subjectId', 'applicationIds', ['subjectKind', 'application']],
      ['subjectId', 'orderIds', ['subjectKind', 'order']],
      ['subjectId', 'refundIds', ['subjectKind', 'refund']],
      ['subjectId', 'caseIds', ['subjectKind', 'request']],
      ['subjectId', 'staffIds', ['subjectKind', 'account']],
      ['staffId', 'staffIds'],
    ],
    columns: {
      shown: ['at', 'action', 'subjectKind'],
      staff: ['staffId'],
      // The details may name staff and other applications by their ids.
      internal: ['id', 'subjectId', 'detail'],
    },
  }),
  mapped(auditSeal, {
    about: 'nobody',
    purpose: 'to notice when the audit trail is changed',
    kept: [],
    erasure: 'none',
    columns: { internal: ['day', 'entries', 'rows', 'fingerprints', 'seal', 'sealedAt'] },
  }),
  mapped(settingChange, {
    about: 'staff',
    purpose: 'to know what was sold and promised when',
    kept: [],
    erasure: 'none',
    rows: [
      ['staffId', 'staffIds'],
      ['confirmedBy', 'staffIds'],
    ],
    columns: {
      shown: ['section', 'values', 'validFrom', 'reason', 'createdAt'],
      staff: ['staffId', 'confirmedBy'],
      internal: ['id', 'withdraws', 'alone'],
    },
  }),
  mapped(settingProposal, {
    about: 'staff',
    purpose: 'to know what was sold and promised when',
    kept: [],
    erasure: 'none',
    rows: [
      ['proposedBy', 'staffIds'],
      ['decidedBy', 'staffIds'],
    ],
    columns: {
      shown: ['section', 'values', 'validFrom', 'reason', 'createdAt', 'state', 'decidedAt', 'why'],
      staff: ['proposedBy', 'decidedBy'],
      internal: ['id', 'seen', 'changeId'],
    },
  }),
  mapped(idempotencyKey, {
    about: 'traveller',
    purpose: 'to answer a repeated request as the first',
    // No column says whose it is: `short-lived-store.server.ts` opens each.
    kept: ['idempotencyKey'],
    erasure: 'deleted',
    columns: { sealed: ['answer'], shown: ['expiresAt'], hashed: ['id', 'requestHash'] },
  }),
  mapped(rateLimit, {
    about: 'nobody',
    purpose: 'to slow down who tries too often',
    kept: [],
    erasure: 'none',
    columns: { internal: ['key', 'points', 'expire'] },
  }),
  mapped(backup, {
    about: 'nobody',
    purpose: 'to know when the last backup was made',
    kept: [],
    erasure: 'none',
    columns: { internal: ['id', 'begunAt', 'endedAt', 'rows', 'files', 'bytes', 'missingFiles'] },
  }),
  mapped(country, {
    about: 'nobody',
    purpose: 'to know who needs what',
    kept: [],
    erasure: 'none',
    columns: {
      internal: [
        'code',
        'iso2',
        'name',
        'regime',
        'maxStayDays',
        'entries',
        'others',
        'note',
        'source',
        'checkedOn',
        'updatedAt',
      ],
    },
  }),
  mapped(insurancePlan, {
    about: 'nobody',
    purpose: 'to sell insurance',
    kept: [],
    erasure: 'none',
    columns: { internal: ['id', 'name', 'days', 'priceMinor', 'currency', 'updatedAt'] },
  }),
  mapped(insuranceTerms, {
    about: 'nobody',
    purpose: 'to sell insurance',
    kept: [],
    erasure: 'none',
    columns: {
      internal: [
        'version',
        'isSample',
        'changeId',
        'insurer',
        'address',
        'licence',
        'assistancePhone',
        'complaintContact',
        'wording',
        'covers',
        'publishedAt',
      ],
    },
  }),
];
