import { once } from 'node:events';
import { createServer } from 'node:net';
import { randomInt } from 'node:crypto';
import { ConfigError } from './config-error.server.ts';

const LOOPBACK = '127.0.0.1';

/** Why a port cannot be listened on, or nothing. Works on what `listen` reports as well. */
export function listenMistake(
  error: unknown,
  { host, port }: { host: string; port: number },
): ConfigError | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return new ConfigError([`PORT: ${port} on ${host} is in use by another program`]);
    case 'EACCES':
      return new ConfigError([`PORT: ${port} may not be opened by this user`]);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ConfigError([`HOST: ${host} is not an address of this machine`]);
    default:
      return undefined;
  }
}

/** @throws ConfigError when the port cannot be listened on right now. */
export async function checkPort(at: { host: string; port: number }): Promise<void> {
  try {
    await tryListen(at.host, at.port);
  } catch (error) {
    throw listenMistake(error, at) ?? error;
  }
}

/**
 * A free port of the loopback address. Below 32768: the system gives higher ones to outgoing connections, which would
 * take a remembered port away between two starts.
 */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred && (await isFree(preferred))) return preferred;
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  return tryListen(LOOPBACK, port).then(
    () => true,
    () => false,
  );
}

async function tryListen(host: string, port: number): Promise<void> {
  const server = createServer();
  server.listen({ host, port, exclusive: true });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
