import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** The encodings in which answers are cached, best first. */
const encodings = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof encodings)[number];

/** An answer made ahead of its requests: its body in each encoding that is kept, `identity` always among them. */
export type EncodedAnswer = {
  /** Without those that depend on the encoding: length and encoding. */
  headers: Readonly<Record<string, string>>;
  bodies: Readonly<Partial<Record<Encoding, Uint8Array>>> & { identity: Uint8Array };
  etag?: string;
};

/** The best encoding of an answer that this browser accepts. */
export function encodingFor(
  accepted: string,
  bodies: Partial<Record<Encoding, unknown>>,
): Encoding {
  if (bodies.br !== undefined && /\bbr\b/.test(accepted)) return 'br';
  if (bodies.gzip !== undefined && /\bgzip\b/.test(accepted)) return 'gzip';
  return 'identity';
}

/** Compared weakly, as RFC 9110 asks of `If-None-Match`. */
export function isKnown(etag: string, header: string | null | undefined): boolean {
  const strong = (tag: string) => tag.trim().replace(/^W\//, '');
  return (
    header?.split(',').some((tag) => tag.trim() === '*' || strong(tag) === strong(etag)) ?? false
  );
}

/** Headers by encoding, made once for each answer: they never change. */
const heads = new WeakMap<EncodedAnswer, Map<Encoding, OutgoingHttpHeaders>>();

function headOf(answer: EncodedAnswer, encoding: Encoding): OutgoingHttpHeaders {
  let known = heads.get(answer);
  if (!known) heads.set(answer, (known = new Map()));
  let head = known.get(encoding);
  if (!head) {
    const vary = [answer.headers['vary'], 'Accept-Encoding'].filter(Boolean).join(', ');
    head = {
      ...answer.headers,
      vary,
      ...(answer.etag && { etag: answer.etag }),
      ...(encoding !== 'identity' && { 'content-encoding': encoding }),
      'content-length': answer.bodies[encoding]?.byteLength ?? 0,
    };
    known.set(encoding, head);
  }
  return head;
}

/** Sends a cached answer to a GET or HEAD request without further work; 304 where the browser has it already. */
export function sendEncoded(
  answer: EncodedAnswer,
  { method, headers }: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const encoding = encodingFor([headers['accept-encoding'] ?? ''].flat().join(), answer.bodies);
  const head = headOf(answer, encoding);
  if (answer.etag && isKnown(answer.etag, headers['if-none-match'])) {
    const { 'content-type': _, 'content-length': __, ...rest } = head;
    outgoing.writeHead(304, rest).end();
    return;
  }
  outgoing.writeHead(200, head);
  outgoing.end(method === 'HEAD' ? undefined : answer.bodies[encoding]);
}
