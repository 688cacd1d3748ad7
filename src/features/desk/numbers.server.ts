import type { Platform } from '~/platform/platform.server.ts';
import type { VisaRow } from './store.server.ts';

export type DocumentNumbers = { passport: string; supportingDocument: string | null };

/** The sealed numbers of a visa application, opened. Whoever shows them in full writes it into the audit trail. */
export function openNumbers({ sealer }: Pick<Platform, 'sealer'>, row: VisaRow): DocumentNumbers {
  const id = row.applicationId;
  return {
    passport: sealer.unsealText(row.passportNumber, `visa_application.passport_number:${id}`),
    supportingDocument:
      row.supportingDocumentNumber &&
      sealer.unsealText(
        row.supportingDocumentNumber,
        `visa_application.supporting_document_number:${id}`,
      ),
  };
}
