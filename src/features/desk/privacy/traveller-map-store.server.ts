import { deskClaim, deskLook } from '~/features/application/claim/tables.server.ts';
import { legalHold } from '~/features/application/retention/tables.server.ts';
import {
  application,
  applicationCorrection,
  applicationDocument,
  applicationEarlierPassport,
  applicationEmail,
  applicationEvent,
  downloadLink,
} from '~/features/application/tables.server.ts';
import {
  deskDecision,
  deskDismissal,
  deskDraft,
  deskEmailCorrection,
  deskNote,
  deskUpload,
} from '../application/tables.server.ts';
import { deskPdfBatch, deskPdfBatchFile } from '../several/tables.server.ts';
import { deskForYou } from '../queue/tables.server.ts';
import { email } from '~/features/email/ledger/tables.server.ts';
import {
  insuranceApplication,
  insuranceDraft,
  insuranceDraftDevice,
  insuranceDraftLink,
  insurancePhoto,
} from '~/features/insurance/store/tables.server.ts';
import {
  visaApplication,
  visaDraft,
  visaDraftDevice,
  visaDraftLink,
  visaDraftParty,
  visaParty,
} from '~/features/visa/store/tables.server.ts';
import { mapped, type MappedTable } from './data-map.server.ts';

const CARRY_OUT = 'to check and carry out what was applied for';
const DESK = 'to decide an application and to say how it was decided';

/** Applications, what staff wrote about them, emails and answers that were not submitted. */
export const travellerMap: readonly MappedTable[] = [
  mapped(application, {
    about: 'traveller',
    purpose: CARRY_OUT,
    kept: ['visa', 'insurance'],
    erasure: 'deleted',
    rows: [['id', 'applicationIds']],
    columns: {
      shown: [
        'kind',
        'number',
        'status',
        'language',
        'firstName',
        'lastName',
        'email',
        'phone',
        'dateOfBirth',
        'countryCode',
        'travelDocument',
        'startsOn',
        'travellerPosition',
        'service',
        'orderNumber',
        'amountMinor',
        'currency',
        'createdAt',
        'paidAt',
        'promisedAt',
        'decidedAt',
        'undeliveredSince',
        'rejectionCode',
        'rejectionReason',
      ],
      // What is searched in holds the names and the address above.
      internal: ['id', 'actionRequired', 'pausedAt', 'emailVersion', 'searchText'],
    },
  }),
  mapped(visaApplication, {
    about: 'traveller',
    purpose: CARRY_OUT,
    kept: ['visa'],
    erasure: 'deleted',
    rows: [['applicationId', 'applicationIds']],
    columns: {
      shown: [
        'passportIssueDate',
        'passportExpiryDate',
        'placeOfBirth',
        'motherName',
        'fatherName',
        'address',
        'purpose',
        'supportingDocumentType',
        'supportingDocumentCountry',
        'supportingDocumentStartDate',
        'supportingDocumentEndDate',
        'stayDays',
        'entries',
      ],
      sealed: ['passportNumber', 'supportingDocumentNumber', 'machineReadableZone'],
      hashed: ['passportHash'],
      internal: ['applicationId'],
    },
  }),
  mapped(insuranceApplication, {
    about: 'traveller',
    purpose: CARRY_OUT,
    kept: ['insurance'],
    erasure: 'deleted',
    rows: [['applicationId', 'applicationIds']],
    columns: {
      shown: [
        'placeOfBirth',
        'returnDate',
        'tripDays',
        'planDays',
        'coverUntil',
        'isMinor',
        'termsVersion',
        'cancelledAt',
      ],
      sealed: ['passportNumber'],
      hashed: ['passportHash', 'verifyHash'],
      internal: ['applicationId'],
    },
  }),
  mapped(insurancePhoto, {
    about: 'traveller',
    purpose: 'to see that a parent insures a child',
    kept: ['insurance', 'insuranceDraft'],
    erasure: 'deleted',
    rows: [
      ['applicationId', 'applicationIds'],
      ['draftId', 'insuranceDraftIds'],
    ],
    columns: {
      shown: ['position', 'size', 'createdAt'],
      sealed: ['name'],
      hashed: ['contentHash'],
      files: ['fileId'],
      internal: ['id', 'draftId', 'applicationId'],
    },
  }),
  mapped(applicationEvent, {
    about: 'traveller',
    purpose: DESK,
    kept: ['visa', 'insurance'],
    erasure: 'deleted',
    rows: [['applicationId', 'applicationIds']],
    columns: { shown: ['kind', 'at'], staff: ['staffId'], internal: ['id', 'applicationId'] },
  }),
  mapped(applicationCorrection, {
    about: 'traveller',
    purpose: 'to have answers corrected by the traveller',
    kept: ['visa', 'insurance'],
    erasure: 'deleted',
    rows: [['applicationId', 'applicationIds']],
    columns: {
      shown: [
        'fields',
        'note',
        'askedAt',
        'answerBy',
        'keepsStart',
        'remindedAt',
        'answeredAt',
        'checkedAt',
        'closedAt',
        'expiredAt',
      ],
      sealed: ['changes'],
      staff: ['staffId'],
      internal: ['id', 'applicationId'],
    },
  }),
  mapped(applicationDocument, {
    about: 'traveller',
    purpose: 'to deliver the visa or the certificate',
    kept: ['visa', 'insurance'],
    erasure: 'deleted',
    rows: [['applicationId', 'applicationIds']],
    columns: {
      shown: ['mediaType', 'size', 'createdAt', 'replacedAt'],
      hashed: ['contentHash'],
      files: ['fileId'],
      staff: ['staffId'],
      internal: ['id', 'applicationId'],
    },
  }),
  mapped(downloadLink, {
    about: 'traveller',
    purpose: 'to open a document for some minutes',
    kept: [],
    erasure: 'deleted',
    rows: [['documentId', 'documentIds']],
    columns: { shown: ['expiresAt'], hashed: ['tokenHash'], internal: ['documentId'] },
  }),
  mapped(applicationEarlierPassport, {
    about: 'traveller',
    purpose: 'to notice that the same passport applied twice',
    kept: ['visa', 'insurance'],
    erasure: 'deleted',
    rows: [['applicationId', 'applicationIds']],
    columns: { hashed: ['passportHash'], internal: ['applicationId'] },
  }),
  mapped(applicationEmail, {
    about: 'traveller',
    purpose: 'to know which application an email was about',
    kept: ['communication'],
    erasure: 'deleted',
    rows: [['applicationId', 'applicationIds']],
    columns: { internal: ['applicationId', 'emailId'] },
  }),
  mapped(email, {
    about: 'traveller',
    purpose: 'to tell travellers what became of their application',
    kept: ['communication'],
    erasure: 'emptied',
    rows: [['id', 'emailIds']],
    columns: {
      shown: ['kind', 'language', 'createdAt', 'sentAt', 'failedAt', 'failure'],
      sealed: ['content'],
      staff: ['staffId'],
      internal: [
        'id',
        'occasion',
        'subject',
        'messageId',
        'dueAt',
        'claimedAt',
        'tries',
        'resentFrom',
      ],
    },
  }),
  mapped(deskForYou, {
    about: 'traveller',
    purpose:
      'to tell staff of an application that somebody gave them, or a note that mentions them',
    kept: ['visa', 'insurance'],
    erasure: 'deleted',
    rows: [['applicationId', 'applicationIds']],
    columns: {
      shown: ['kind', 'at', 'readAt'],
      staff: ['staffId', 'byStaffId'],
      internal: ['id', 'applicationId', 'noteId'],
    },
  }),
  mapped(deskNote, {
    about: 'traveller',
    purpose: DESK,
    kept: ['visa', 'insurance'],
    erasure: 'deleted',
    rows: [['applicationId', 'applicationIds']],
    columns: {
      shown: ['writtenAt', 'editedAt', 'struckAt'],
      sealed: ['text', 'struckWhy'],
      staff: ['staffId', 'struckBy'],
      internal: ['id', 'applicationId'],
    },
  }),
  mapped(deskEmailCorrection, {
    about: 'traveller',
    purpose: 'to correct a mistyped email address',
    kept: ['visa', 'insurance'],
    erasure: 'deleted',
    rows: [['applicationId', 'applicationIds']],
    columns: {
      shown: ['at'],
      sealed: ['content'],
      staff: ['staffId'],
      internal: ['id', 'applicationId'],
    },
  }),
  mapped(deskDismissal, {
    about: 'traveller',
    purpose: 'to say why two applications are no duplicates',
    kept: ['visa', 'insurance'],
    erasure: 'deleted',
    rows: [
      ['oneId', 'applicationIds'],
      ['otherId', 'applicationIds'],
    ],
    columns: {
      shown: ['dismissedAt'],
      sealed: ['why'],
      hashed: ['facts'],
      staff: ['staffId'],
      internal: ['oneId', 'otherId'],
    },
  }),
  mapped(deskUpload, {
    about: 'traveller',
    purpose: 'to check a document before it is delivered',
    kept: ['deskUpload', 'visa', 'insurance'],
    erasure: 'deleted',
    rows: [
      ['applicationId', 'applicationIds'],
      ['draftFor', 'applicationIds'],
    ],
    columns: {
      shown: ['size', 'createdAt'],
      sealed: ['text'],
      hashed: ['contentHash'],
      files: ['fileId'],
      staff: ['staffId'],
      internal: ['draftFor', 'applicationId'],
    },
  }),
  mapped(deskPdfBatch, {
    about: 'staff',
    purpose: 'to approve several applications with the PDFs of the authorities',
    kept: ['deskUpload'],
    erasure: 'none',
    columns: { shown: ['createdAt', 'leftOut'], staff: ['staffId'], internal: ['id'] },
  }),
  mapped(deskPdfBatchFile, {
    about: 'traveller',
    purpose: 'to approve several applications with the PDFs of the authorities',
    // Gone after a day; it is not known before whose file it is.
    kept: ['deskUpload'],
    erasure: 'deleted',
    rows: [['applicationId', 'applicationIds']],
    columns: {
      shown: ['fault'],
      sealed: ['name'],
      files: ['fileId'],
      internal: ['id', 'batchId', 'position', 'applicationId'],
    },
  }),
  mapped(deskDraft, {
    about: 'traveller',
    purpose: 'to look at a decision before it is sent',
    kept: ['deskDraft'],
    erasure: 'deleted',
    rows: [['applicationId', 'applicationIds']],
    columns: {
      shown: ['kind', 'seen', 'rejectionCode', 'words', 'createdAt'],
      files: ['fileId'],
      staff: ['staffId'],
      internal: ['id', 'applicationId'],
    },
  }),
  mapped(deskDecision, {
    about: 'traveller',
    purpose: 'to undo a decision within the seconds after it',
    kept: ['deskDraft'],
    erasure: 'deleted',
    rows: [['applicationId', 'applicationIds']],
    columns: {
      shown: ['kind', 'at', 'undoUntil', 'undoneAt'],
      staff: ['staffId'],
      internal: ['id', 'applicationId', 'before'],
    },
  }),
  mapped(deskClaim, {
    about: 'traveller',
    purpose: 'to say who of the staff works on an application',
    kept: [],
    erasure: 'deleted',
    rows: [['applicationId', 'applicationIds']],
    columns: {
      shown: ['claimedAt', 'expiresAt'],
      staff: ['staffId', 'assignedBy'],
      internal: ['applicationId'],
    },
  }),
  mapped(deskLook, {
    about: 'traveller',
    purpose: 'to lead each of the staff once through a list',
    kept: [],
    erasure: 'deleted',
    rows: [['applicationId', 'applicationIds']],
    columns: { shown: ['at'], staff: ['staffId'], internal: ['applicationId'] },
  }),
  mapped(legalHold, {
    about: 'traveller',
    purpose: 'to keep what a claim or an authority needs',
    kept: ['visa', 'insurance'],
    erasure: 'deleted',
    rows: [
      ['applicationId', 'applicationIds'],
      ['orderNumber', 'orderNumbers'],
    ],
    columns: {
      shown: ['placedAt', 'until', 'liftedAt'],
      // Whether the person may read why is for a lawyer to say, not for an export.
      withheld: ['why'],
      internal: ['id', 'applicationId', 'orderNumber'],
      staff: ['placedBy', 'liftedBy'],
    },
  }),
  ...(
    [
      [visaDraft, 'visaDraft', 'visaDraftIds'],
      [insuranceDraft, 'insuranceDraft', 'insuranceDraftIds'],
    ] as const
  ).map(([table, kept, ids]) =>
    mapped(table, {
      about: 'draft',
      purpose: 'to go on with an application that was begun',
      kept: [kept],
      erasure: 'deleted',
      rows: [
        ['id', ids],
        ['applicationNumber', 'numbers'],
      ],
      columns: {
        shown: ['language', 'createdAt', 'expiresAt', 'applicationNumber', 'changing'],
        sealed: ['answers'],
        internal: ['id', 'version'],
      },
    }),
  ),
  ...(
    [
      [visaDraftDevice, 'visaDraft', 'visaDraftIds'],
      [insuranceDraftDevice, 'insuranceDraft', 'insuranceDraftIds'],
    ] as const
  ).map(([table, kept, ids]) =>
    mapped(table, {
      about: 'draft',
      purpose: 'to let a browser open what it began',
      kept: [kept],
      erasure: 'deleted',
      rows: [['draftId', ids]],
      columns: { shown: ['createdAt', 'endedAt'], hashed: ['tokenHash'], internal: ['draftId'] },
    }),
  ),
  ...(
    [
      [visaDraftLink, 'visaDraft', 'visaDraftIds'],
      [insuranceDraftLink, 'insuranceDraft', 'insuranceDraftIds'],
    ] as const
  ).map(([table, kept, ids]) =>
    mapped(table, {
      about: 'draft',
      purpose: 'to go on with an application on another device',
      kept: [kept],
      erasure: 'deleted',
      rows: [['draftId', ids]],
      columns: {
        shown: ['createdAt', 'expiresAt', 'usedAt'],
        hashed: ['tokenHash'],
        internal: ['draftId'],
      },
    }),
  ),
  mapped(visaDraftParty, {
    about: 'draft',
    purpose: 'to apply together with others',
    kept: ['visaDraft'],
    erasure: 'deleted',
    rows: [['draftId', 'visaDraftIds']],
    columns: { shown: ['position'], internal: ['draftId', 'partyId'] },
  }),
  mapped(visaParty, {
    about: 'nobody',
    purpose: 'to apply together with others',
    kept: ['visaDraft'],
    erasure: 'none',
    columns: { internal: ['id', 'nextPosition'] },
  }),
];
