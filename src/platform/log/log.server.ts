import pino from 'pino';
import { findDatabaseError } from './database-error.server.ts';
import { Logger } from 'graphile-worker';

export type Log = pino.Logger;

type LogOptions = { level?: string; destination?: pino.DestinationStream };

/** Query parameters that name a person, a payment or a right. */
const SECRET_PARAMETERS =
  /([?&;](?:ref|data|token|code|state|email|key|sig|signature)=)[^&#;\s"']*/gi;

/** A path segment that opens something: random tokens of 20 characters and more, and application numbers. */
const SECRET_SEGMENTS = /\/(?:(?=[\w.-]*\d)[\w.-]{20,}|TR[VIG][0-9A-Za-z]{13})(?=[/?#]|$)/g;

/** An address that can be logged: what identifies somebody, or opens something of theirs, is taken out of it. */
export function redactUrl(url: string): string {
  return url.replace(SECRET_PARAMETERS, '$1[redacted]').replace(SECRET_SEGMENTS, '/[redacted]');
}

/**
 * The log, JSON lines on standard output. Bodies, cookies and authorisations are never written, whatever a caller
 * passes; of a database error only what names no values. Give every request its `requestId` with `log.child`.
 */
export function makeLog({ level = 'info', destination }: LogOptions = {}): Log {
  const options: pino.LoggerOptions = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: [
        'body',
        'payload',
        'headers',
        'cookie',
        'authorization',
        'password',
        '*.body',
        '*.payload',
        '*.headers',
        '*.password',
      ],
      censor: '[redacted]',
    },
    serializers: { err: describeError, error: describeError, url: redactText, path: redactText },
  };
  return destination ? pino(options, destination) : pino(options);
}

function redactText(value: unknown): unknown {
  return typeof value === 'string' ? redactUrl(value) : value;
}

/** An error for the log. Messages of failed statements hold their parameters, so only their codes are kept. */
export function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const stack = frames(error.stack);
  const database = findDatabaseError(error);
  if (database) {
    const { code, constraint, table, column, routine } = database;
    return { type: 'DatabaseError', code, constraint, table, column, routine, stack };
  }
  // Drizzle's own wrapper around a lost connection: its message is the statement with its parameters.
  const isQuery = error.message.startsWith('Failed query');
  const code = 'code' in error ? error.code : undefined;
  return {
    type: error.name,
    code,
    message: isQuery ? 'Failed query' : redactUrl(error.message),
    stack,
    cause: error.cause === undefined ? undefined : describeError(error.cause),
  };
}

function frames(stack: string | undefined): string | undefined {
  return stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}

/**
 * The job queue's own messages, without their metadata: that holds payloads. Its messages quote errors of tasks,
 * which are logged where they are caught, so they are left out here.
 */
export function jobLogger(log?: Log): Logger {
  return new Logger(() => (level, message) => {
    if (!log || level === 'debug' || level === 'info') return;
    const [line = ''] = message.split('\n');
    if (!line.startsWith('Failed task')) log.warn({ queue: line }, 'job queue');
  });
}
