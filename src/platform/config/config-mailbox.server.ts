import { z } from 'zod';
import { url } from './config-fields.server.ts';

/** The mailbox in which travellers' answers arrive. */
export type MailboxConfig = {
  host: string;
  port: number;
  user: string;
  password: string;
  /** TLS from the first byte on; otherwise STARTTLS. */
  isSecure: boolean;
  /** Its own address, to which reply addresses add their part after a plus. */
  address: string;
};

/** Naming one of these asks for the other. */
export const mailboxGroup = ['MAILBOX_URL', 'MAILBOX_ADDRESS'] as const;

/** Letters before the @ (RFC 5321, 4.5.3.1.1), less those that a reply address adds. */
const MAX_LOCAL_LENGTH = 64 - 49;

export const mailboxVariables = {
  MAILBOX_URL: url('imap:', 'imaps:')
    .refine((value) => !URL.canParse(value) || hasAccount(new URL(value)), {
      error: 'must name an account and its password: imaps://user:password@host',
    })
    .optional(),
  MAILBOX_ADDRESS: z
    .email({ error: 'must be an e-mail address' })
    .refine((value) => value.indexOf('@') <= MAX_LOCAL_LENGTH && !value.includes('+'), {
      error: `must have at most ${MAX_LOCAL_LENGTH} characters before the @, and no plus`,
    })
    .optional(),
};

const hasAccount = ({ username, password, hostname }: URL): boolean =>
  [username, password, hostname].every((part) => part !== '');

/** Undefined where the service reads no mailbox. */
export function mailboxConfig(given: {
  MAILBOX_URL?: string;
  MAILBOX_ADDRESS?: string;
}): MailboxConfig | undefined {
  const { MAILBOX_URL: text, MAILBOX_ADDRESS: address } = given;
  if (text === undefined || address === undefined) return undefined;
  const { protocol, hostname, port, username, password } = new URL(text);
  const isSecure = protocol === 'imaps:';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isSecure ? 993 : 143) : Number(port),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    isSecure,
    address,
  };
}
