import { Logger } from 'graphile-worker';
import type { Log } from './log.server.ts';

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
