import type { Application } from '~/features/application/store.server.ts';
import { insuranceDetailsOf } from '~/features/insurance/store/store.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { visaRows, type VisaRow } from './store.server.ts';

export type DocumentNumbers = { passport: string; supportingDocument: string | null };

/** The sealed numbers of a visa application, decrypted. Whoever shows them in full records it in the audit trail. */
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

/** `openNumbers` for an application of either kind; null for one without answers. */
export async function numbersOf(
  { db, sealer }: { db: Queryable; sealer: Platform['sealer'] },
  { id, kind }: Application,
): Promise<DocumentNumbers | null> {
  if (kind === 'visa') {
    const row = (await visaRows(db, [id])).get(id);
    return row ? openNumbers({ sealer }, row) : null;
  }
  const details = await insuranceDetailsOf(db, sealer, id);
  return details && { passport: details.passportNumber, supportingDocument: null };
}
