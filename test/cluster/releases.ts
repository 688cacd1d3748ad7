import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const root = join(import.meta.dirname, '..', '..');

const journal = z.looseObject({
  entries: z.array(z.looseObject({ idx: z.number(), when: z.number() })),
});

/** The production build of a checkout, by default this one, in a folder of its own, as a release is installed. */
export function makeRelease(folder: string, checkout: string = root): string {
  mkdirSync(folder);
  for (const part of ['build', 'db', 'package.json']) {
    cpSync(join(checkout, part), join(folder, part), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Only adds, as every migration does: a column, an index and a table that the old version does not know. */
const MIGRATION = `
ALTER TABLE "application" ADD COLUMN "next_release" text DEFAULT 'unknown' NOT NULL;
--> statement-breakpoint
CREATE INDEX "application_next_release" ON "application" USING btree ("next_release");
--> statement-breakpoint
CREATE TABLE "next_release" ("id" integer PRIMARY KEY);
`;

/** A release with one migration more: the next version of the schema with the same code. */
export function makeNextRelease(folder: string): string {
  makeRelease(folder);
  const known = journalOf(folder);
  const last = known.entries.at(-1);
  if (!last) throw new Error('There are no migrations');
  const tag = `${last.idx + 1}_next_release`.padStart(17, '0');
  const entry = { ...last, idx: last.idx + 1, when: last.when + 1, tag };
  writeFileSync(
    journalPath(folder),
    JSON.stringify({ ...known, entries: [...known.entries, entry] }),
  );
  writeFileSync(join(folder, 'db', 'migrations', `${tag}.sql`), MIGRATION);
  return folder;
}

/**
 * Checks that the next release contains the old one's migrations.
 * @throws Error where it cannot migrate a database of the old one.
 */
export function checkFollows(old: string, next: string): void {
  const moments = (folder: string) => journalOf(folder).entries.map(({ when }) => when);
  const later = moments(next);
  // Drizzle compares these moments, too.
  if (moments(old).some((when, index) => when !== later[index])) {
    throw new Error(
      'The migrations of --old are not the first ones of this code: choose a later commit',
    );
  }
}

const journalPath = (folder: string) => join(folder, 'db', 'migrations', 'meta', '_journal.json');

const journalOf = (folder: string) =>
  journal.parse(JSON.parse(readFileSync(journalPath(folder), 'utf8')));
