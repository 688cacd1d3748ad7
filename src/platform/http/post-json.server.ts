import { Agent as PlainAgent, request as requestPlain, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as requestSecure } from 'node:https';

/** In bytes: many times the longest answer of a payment partner. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Less than the 5 seconds after which servers close a connection on which nothing comes. */
const IDLE_MS = 4000;
const plain = new PlainAgent({ keepAlive: true, timeout: IDLE_MS });
const secure = new SecureAgent({ keepAlive: true, timeout: IDLE_MS });

export type PostAnswer = {
  status: number;
  /**
   * The answer as JSON.
   * @throws Error where it is none.
   */
  json(): unknown;
};

/**
 * Posts JSON to another service over kept connections, for a quarter of what `fetch` takes of the processor. Follows no
 * redirection and repeats nothing.
 * @throws where the whole answer is not there within `timeoutMs`, or is longer than a megabyte
 */
export async function postJson(
  address: string,
  body: unknown,
  { timeoutMs }: { timeoutMs: number },
): Promise<PostAnswer> {
  const content = Buffer.from(JSON.stringify(body));
  const isSecure = address.startsWith('https:');
  const sent = (isSecure ? requestSecure : requestPlain)(address, {
    agent: isSecure ? secure : plain,
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'content-length': content.length,
    },
  });
  const tooLate = () => Object.assign(new Error('No answer in time'), { code: 'ETIMEDOUT' });
  const limit = setTimeout(() => sent.destroy(tooLate()), timeoutMs);
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).once('error', reject).end(content);
    });
    const text = await wholeText(answer);
    return { status: answer.statusCode ?? 0, json: (): unknown => JSON.parse(text) };
  } finally {
    clearTimeout(limit);
  }
}

async function wholeText(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of answer) {
    if (!Buffer.isBuffer(part)) throw new TypeError('An answer in pieces that are no bytes');
    length += part.length;
    // Leaving the loop ends the connection.
    if (length > MAX_ANSWER_BYTES) throw new Error('Too long an answer');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
