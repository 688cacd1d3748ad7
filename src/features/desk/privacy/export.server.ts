import { zipSync, type Zippable } from 'fflate';
import { isLanguage } from '~/base/languages.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { isUuid } from '~/base/uuid.ts';
import { isNothing } from '~/features/desk/personal-data/chosen.ts';
import { readEverything } from '~/features/desk/personal-data/erase.server.ts';
import { caseById } from '~/features/desk/privacy-cases/case-store.server.ts';
import { operatorNow } from '~/features/settings/operator.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { chosenIn } from './cases.server.ts';
import type { CaseProblem } from './case-problem.ts';
import { exportGroups } from './export-groups.server.ts';
import { recordGroups } from './export-records.server.ts';

const endings: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
};

/**
 * Everything about the person of a case, as a ZIP: `data.json` with every row of every table, `data.pdf` with the same
 * to read, and the files. Recorded in the audit trail before it is handed out. Refused before the identity check, and once closed.
 */
export async function exportCase(
  platform: Platform,
  staff: Staff,
  id: string,
): Promise<Outcome<Uint8Array, CaseProblem>> {
  const found = isUuid(id) ? await caseById(platform.db, platform.sealer, id) : null;
  if (!found) return refused('not_found');
  if (found.closedAt) return refused('closed');
  const own = chosenIn(found);
  if (!own) return refused('identity_first');
  if (isNothing(own)) return refused('nothing_chosen');
  const madeAt = platform.now();
  // The request itself is about the person, too.
  const data = await readEverything(platform, {
    ...own,
    caseIds: [...new Set([...own.caseIds, id])],
  });
  const files: Zippable = {};
  const fileNames: string[] = [];
  const missing: string[] = [];
  for (const fileId of data.fileIds) {
    const file = await platform.files.read(fileId);
    if (!file) {
      missing.push(fileId);
      continue;
    }
    const name = `files/${fileId}.${endings[file.mediaType] ?? 'bin'}`;
    files[name] = file.bytes;
    fileNames.push(name);
  }
  const { legalName } = await operatorNow(platform);
  const language = isLanguage(found.language) ? found.language : 'en';
  const t = textsIn(language, 'personal-data');
  const summary = await exportGroups(platform, own, data, { language, fileNames });
  const records = recordGroups(data.tables, language);
  // The drawing library is large: a process loads it with the first document.
  const { drawExport } = await import('./export-document.server.tsx');
  const pdf = await drawExport({
    language,
    madeAt,
    operatorName: legalName,
    privacyPage: `${platform.config.publicUrl}/${language}/privacy`,
    chapters: [
      { title: t('summary'), lead: null, groups: summary },
      { title: t('records'), lead: t('recordsLead'), groups: records },
    ],
  });
  const json = {
    madeAt,
    controller: legalName,
    request: { kind: found.kind, arrivedOn: found.arrivedOn },
    tables: Object.fromEntries(data.tables.map(({ table, rows }) => [table, rows])),
    files: fileNames,
    missingFiles: missing,
  };
  const rows = data.tables.reduce((sum, one) => sum + one.rows.length, 0);
  await audit(platform.db, {
    at: madeAt,
    staffId: staff.id,
    action: 'data_exported',
    subject: { kind: 'request', id },
    detail: { rows, files: fileNames.length },
  });
  return ok(
    zipSync({
      'data.json': Buffer.from(JSON.stringify(json, null, 2)),
      'data.pdf': new Uint8Array(pdf),
      ...files,
    }),
  );
}
