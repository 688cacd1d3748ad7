import { zipSync, type Zippable } from 'fflate';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { isUuid } from '~/base/uuid.ts';
import { currentOperator } from '~/features/settings/operator.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { CaseProblem } from './privacy-case.ts';
import { caseById, isNothingChosen } from './case-store.server.ts';
import { readEverything } from './erase.server.ts';
import { personalTables } from './personal-tables.server.ts';

const endings: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
};

/**
 * Everything about the person of a case, as a ZIP: `data.json` with every row of every table and what the tables are for,
 * and the files. Recorded in the audit trail before it is handed out. Refused before the identity check, and once closed.
 */
export async function exportCase(
  platform: Platform,
  staff: Staff,
  id: string,
): Promise<Outcome<Uint8Array, CaseProblem>> {
  const found = isUuid(id) ? await caseById(platform.db, platform.sealer, id) : null;
  if (!found) return refused('not_found');
  if (found.closedAt) return refused('closed');
  const own = found.chosen;
  if (!own) return refused('identity_first');
  if (isNothingChosen(own)) return refused('nothing_chosen');
  const madeAt = platform.now();
  // The request itself is about the person, too.
  const data = await readEverything(platform, {
    ...own,
    caseIds: [...new Set([...own.caseIds, id])],
  });
  const files: Zippable = {};
  const missing: string[] = [];
  for (const fileId of data.fileIds) {
    const file = await platform.files.read(fileId);
    if (file) files[`files/${fileId}.${endings[file.mediaType] ?? 'bin'}`] = file.bytes;
    else missing.push(fileId);
  }
  const json = {
    madeAt,
    controller: (await currentOperator(platform)).legalName,
    // Who receives the data, how long it is kept, and the person's rights (GDPR, art. 15(1)).
    privacyPage: `${platform.config.publicUrl}/${found.language}/privacy`,
    request: { kind: found.kind, arrivedOn: found.arrivedOn },
    purposes: Object.fromEntries(
      data.tables.map(({ table }) => [
        table,
        personalTables.find(({ name }) => name === table)?.purpose ?? 'to do what was asked for',
      ]),
    ),
    tables: Object.fromEntries(data.tables.map(({ table, rows }) => [table, rows])),
    files: Object.keys(files),
    missingFiles: missing,
  };
  const rows = data.tables.reduce((sum, one) => sum + one.rows.length, 0);
  await audit(platform.db, {
    at: madeAt,
    staffId: staff.id,
    action: 'data_exported',
    subject: { kind: 'request', id },
    detail: { rows, files: json.files.length },
  });
  return ok(zipSync({ 'data.json': Buffer.from(JSON.stringify(json, null, 2)), ...files }));
}
