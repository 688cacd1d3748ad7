import type { IncomingMessage, ServerResponse } from 'node:http';

/** In bytes, more than any body we accept; a client that goes on sending is disconnected. */
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_MS = 30_000;

/**
 * Reads what is left of a body after its request was answered, and throws it away. The next request on the connection
 * follows it; closing the connection instead would lose that request, or the answer that was just sent.
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
    // By then the connection may carry another request.
    if (!incoming.complete) socket.destroy();
  };
  const timer = setTimeout(cut, MOST_MS).unref();
  // A stream that the adapter made of the body, which nobody reads, would pause it again and again.
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
