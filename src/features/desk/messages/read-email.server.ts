import PostalMime, { type Attachment, type Email } from 'postal-mime';

/** Bytes of an email, as most mail servers take them; larger ones stay in the mailbox. */
export const MAX_EMAIL_BYTES = 25 * 1024 * 1024;
/** Characters of a text; what is longer is cut. */
export const MAX_MESSAGE_LENGTH = 20_000;
/** Characters of a subject. */
const MAX_SUBJECT_LENGTH = 200;
/** Characters of an address (RFC 5321, 4.5.3.1). */
const MAX_ADDRESS_LENGTH = 254;
/** Addresses of an email that are looked at. */
const MAX_RECIPIENTS = 50;
/** What an email from a person never needs; whoever writes more is refused before it costs anything. */
const LIMITS = {
  maxNestingDepth: 20,
  maxHeadersSize: 256 * 1024,
  // An email inside an email is somebody else's.
  forceRfc822Attachments: true,
};

/** What was read in an email. Every word of it is its sender's and proves nothing. */
export type IncomingEmail = {
  /** Null where it has none. */
  messageId: string | null;
  /** Whom it says that it is from; '' where it says nothing. */
  from: string;
  /** To whom it says that it goes, and where servers say that they delivered it. */
  recipients: readonly string[];
  subject: string;
  /** Never HTML. */
  text: string;
  /** Of a machine: an absence note, or a report that an email was not delivered (RFC 3834, RFC 3464). */
  isAutomatic: boolean;
  attachments: readonly { name: string; bytes: Uint8Array }[];
};

/** Reads an email; null where it is none, or one that is made to be costly. */
export async function readEmail(source: Uint8Array): Promise<IncomingEmail | null> {
  if (source.byteLength > MAX_EMAIL_BYTES) return null;
  const read = await PostalMime.parse(source, LIMITS).catch(() => null);
  if (!read) return null;
  const { from, subject = '', messageId = null, text, html } = read;
  return {
    messageId,
    from: (from?.address ?? '').slice(0, MAX_ADDRESS_LENGTH),
    recipients: recipientsOf(read),
    subject: oneLine(subject).slice(0, MAX_SUBJECT_LENGTH).toWellFormed(),
    text: cut(printable(text ?? (await htmlText(html ?? ''))).trim()),
    isAutomatic: isAutomatic(read),
    attachments: read.attachments.map(({ filename, content }) => ({
      name: oneLine(filename ?? ''),
      bytes: bytesOf(content),
    })),
  };
}

const DELIVERED = ['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to'];

function recipientsOf({ headers, to = [], cc = [] }: Email): string[] {
  const named = [...to, ...cc].flatMap(({ address, group = [] }) =>
    address === undefined ? group.map((one) => one.address) : [address],
  );
  const delivered = headers
    .filter(({ key }) => DELIVERED.includes(key))
    .map(({ value }) => value.replace(/^<|>$/g, ''));
  return [...delivered, ...named].slice(0, MAX_RECIPIENTS);
}

const MACHINES = ['x-autoreply', 'x-autorespond', 'x-auto-response'];

/** `X-Auto-Response-Suppress` is left out: programs write it into people's emails. */
function isAutomatic({ headers, returnPath }: Email): boolean {
  if (returnPath !== undefined && returnPath.replace(/[<>\s]/g, '') === '') return true;
  return headers.some(({ key, value }) => {
    const said = value.trim().toLowerCase();
    if (key === 'auto-submitted') return !/^no\b/.test(said);
    if (key === 'return-path') return said === '<>';
    if (key === 'precedence') return /^(auto_reply|bulk|junk|list)\b/.test(said);
    if (key === 'content-type') return said.startsWith('multipart/report');
    return MACHINES.includes(key);
  });
}

/** Characters of HTML that are read; a text of `MAX_MESSAGE_LENGTH` has fewer. */
const MAX_HTML_LENGTH = 1_000_000;

/**
 * HTML as plain text. The reader of emails does so where an email has both kinds, in a time that grows with the length
 * alone; so it is given one.
 */
async function htmlText(html: string): Promise<string> {
  if (html === '') return '';
  const lines = [
    'Content-Type: multipart/mixed; boundary=part',
    '',
    '--part',
    'Content-Type: text/plain',
    '',
    '',
    '--part',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(html.slice(0, MAX_HTML_LENGTH)).toString('base64'),
    '--part--',
  ];
  return (await PostalMime.parse(lines.join('\r\n'), LIMITS)).text ?? '';
}

/** Without control characters but line breaks, and without those that turn the direction of what follows. */
const printable = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{C}\n\u200c\u200d]/gu, '')
    .replaceAll(/\n{4,}/g, '\n\n\n');

const oneLine = (text: string): string => printable(text.replaceAll(/\s+/g, ' ')).trim();

const cut = (text: string): string =>
  text.length > MAX_MESSAGE_LENGTH
    ? `${text.slice(0, MAX_MESSAGE_LENGTH - 1).toWellFormed()}…`
    : text;

const bytesOf = (content: Attachment['content']): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
