/** An answer's JSON with its head, which tells the length, so that `compress` lets a small one pass without touching it. */
export function jsonText(body: unknown): { text: string; headers: Record<string, string> } {
  const text = JSON.stringify(body);
  return {
    text,
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(text)),
    },
  };
}
