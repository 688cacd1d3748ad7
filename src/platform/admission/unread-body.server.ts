import type { IncomingMessage, ServerResponse } from 'node:http';

/** More than any body we accept: whoever sends on after that is cut off. */
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_MS = 30_000;

/**
 * Reads what is left of a body after its request was answered, and throws it away. The next request on the connection
 * stands behind it; a connection that is cut instead takes that request, or the answer that was just sent, with it.
 */
export function readToTheEnd(incoming: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.once('finish', () => {
    if (!incoming.complete) discard(incoming);
  });
}

function discard(incoming: IncomingMessage) {
  const { socket } = incoming;
  let bytes = 0;
  const cut = () => {
    // By then the connection may be about another request.
    if (!incoming.complete) socket.destroy();
  };
  const timer = setTimeout(cut, MOST_MS).unref();
  // A stream that the adapter made of it would stop it again and again, and nobody reads that one.
  incoming.removeAllListeners('data');
  incoming.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) cut();
  });
  incoming.once('end', () => clearTimeout(timer));
  incoming.once('close', () => clearTimeout(timer));
  incoming.once('error', () => clearTimeout(timer));
  incoming.resume();
}
