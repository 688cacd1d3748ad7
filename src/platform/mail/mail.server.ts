import { createHash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import nodemailer, { type SendMailOptions } from 'nodemailer';
import { isThisMachine } from '../config/config-live.server.ts';
import type { Config } from '../config/config.server.ts';
import { assertOutsideTransaction } from '../postgres/transaction-scope.server.ts';

export type EmailMessage = {
  to: string;
  subject: string;
  html: string;
  text: string;
  /** With angle brackets. A retry must give the same one, so that receivers can drop the duplicate. */
  messageId: string;
  headers?: Record<string, string>;
  /** Language tag, sent as `Content-Language`. */
  language?: string;
  attachments?: readonly { filename: string; content: Uint8Array; mediaType: string }[];
};

export type Mail = {
  /**
   * Resolves once the server (or the folder) has accepted the message. Not inside a transaction.
   * @throws Otherwise, to be tried again.
   */
  send(message: EmailMessage): Promise<void>;
  close(): void;
};

type MailConfig = Pick<Config, 'mailUrl' | 'mailFrom' | 'dataDir'> & Partial<Pick<Config, 'mode'>>;

/** SMTP when an address is configured, else one `.eml` per message under the data folder. */
export function makeMail(config: MailConfig): Mail {
  return config.mailUrl
    ? mailBySmtp(config.mailUrl, config)
    : mailInFolder(join(config.dataDir, 'mail'), config.mailFrom);
}

/**
 * Signs in to the mail server as for sending, and sends nothing.
 * @throws Error of nodemailer, with a `code` and the server's `responseCode`, where it does not accept us.
 */
export async function mailServerAccepts(config: MailConfig): Promise<void> {
  if (!config.mailUrl) throw new Error('No mail server is named');
  const transport = smtpTransport(config.mailUrl, config);
  await transport.verify().finally(() => transport.close());
}

function smtpTransport(url: string, { mode }: MailConfig) {
  const mayBeClear = mode !== 'live' || isThisMachine(new URL(url).hostname);
  return nodemailer.createTransport({
    url,
    // E-mails hold names and secret links: without STARTTLS they are not sent, and are tried again later.
    requireTLS: !mayBeClear,
    pool: true,
    maxConnections: 3,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    // Messages come from templates and data: they must not be able to name files or addresses to attach.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function mailBySmtp(url: string, config: MailConfig): Mail {
  const { mailFrom: from } = config;
  const transport = smtpTransport(url, config);
  return {
    async send(message) {
      assertOutsideTransaction();
      await transport.sendMail(compose(message, from));
    },
    close: () => transport.close(),
  };
}

/** A retry of the same message replaces the earlier file only when both begin in the same second. */
function mailInFolder(folder: string, from: string): Mail {
  const composer = nodemailer.createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
  });
  return {
    async send(message) {
      assertOutsideTransaction();
      const { message: source } = await composer.sendMail(compose(message, from));
      if (!Buffer.isBuffer(source)) throw new Error('The composer did not answer with bytes');
      const id = createHash('sha256').update(message.messageId).digest('hex').slice(0, 12);
      const time = new Date().toISOString().replaceAll(':', '').replace(/\.\d+/, '');
      const path = join(folder, `${time}-${id}.eml`);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(`${path}.part`, source, { mode: 0o600, flush: true });
      await rename(`${path}.part`, path);
    },
    close: () => composer.close(),
  };
}

function compose(message: EmailMessage, from: string): SendMailOptions {
  const { to, subject, html, text, messageId, headers, language, attachments = [] } = message;
  return {
    from,
    to,
    subject,
    html,
    text,
    messageId,
    headers: {
      // RFC 3834: no holiday answers to an automatic message.
      'Auto-Submitted': 'auto-generated',
      ...(language ? { 'Content-Language': language } : {}),
      ...headers,
    },
    attachments: attachments.map(({ filename, content, mediaType }) => ({
      filename,
      content: Buffer.from(content),
      contentType: mediaType,
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
