import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import type { Platform } from '~/platform/platform.server.ts';

/** One email stored in test mode. `name`: its file's, without the extension. */
type OutboxEntry = {
  name: string;
  date: string;
  to: string;
  subject: string;
  language?: string;
};
type OutboxMessage = OutboxEntry & { html: string; text: string };

type Needed = Pick<Platform, 'config'>;

/** Emails are stored as files where no mail server is configured, which live mode does not allow. */
export const hasOutbox = ({ config }: Needed): boolean =>
  config.mode === 'test' && config.mailUrl === undefined;

const NAME = /^[\w-]{1,80}$/;
const MAX_EMAILS_SHOWN = 200;

const folderOf = ({ config }: Needed) => join(config.dataDir, 'mail');

/** The newest emails first: file names begin with the time. */
export async function listOutbox(platform: Needed): Promise<OutboxEntry[]> {
  const files = await readdir(folderOf(platform)).catch(absent);
  const names = (files ?? [])
    .filter((file) => file.endsWith('.eml'))
    .map((file) => file.slice(0, -4))
    .filter((name) => NAME.test(name))
    .toSorted()
    .toReversed()
    .slice(0, MAX_EMAILS_SHOWN);
  const messages = await Promise.all(names.map((name) => readOutbox(platform, name)));
  return messages.flatMap((message) => {
    if (!message) return [];
    const { html: _html, text: _text, ...entry } = message;
    return [entry];
  });
}

export async function readOutbox(platform: Needed, name: string): Promise<OutboxMessage | null> {
  if (!NAME.test(name)) return null;
  const source = await readFile(join(folderOf(platform), `${name}.eml`)).catch(absent);
  if (!source) return null;
  const read = await PostalMime.parse(source);
  const { subject = '', date = '', to = [], html = '', text = '' } = read;
  const language = read.headers.find(({ key }) => key === 'content-language')?.value;
  const addresses = to.map(({ address }) => address ?? '').join(', ');
  return { name, subject, language, date, to: addresses, html, text };
}

function absent(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
