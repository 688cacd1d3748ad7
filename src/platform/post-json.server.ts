import { Agent as PlainAgent, request as requestPlain, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as requestSecure } from 'node:https';
import { text } from 'node:stream/consumers';

/** Less than the 5 seconds after which servers close a connection on which nothing comes. */
const IDLE_MS = 4000;
const plain = new PlainAgent({ keepAlive: true, timeout: IDLE_MS });
const secure = new SecureAgent({ keepAlive: true, timeout: IDLE_MS });

export type PostAnswer = {
  status: number;
  /** The answer as JSON. Throws where it is none. */
  json(): unknown;
};

/**
 * Posts JSON to another service over kept connections, for a quarter of what `fetch` takes of the processor. Follows no
 * redirection and repeats nothing.
 * @throws where the whole answer is not there within `timeoutMs`
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
  const limit = setTimeout(() => sent.destroy(new Error('No answer in time')), timeoutMs);
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).once('error', reject).end(content);
    });
    const said = await text(answer);
    return { status: answer.statusCode ?? 0, json: (): unknown => JSON.parse(said) };
  } finally {
    clearTimeout(limit);
  }
}
