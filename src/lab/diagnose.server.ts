type Diagnosis = 'working' | 'error';

const LIMIT_MS = 5000;

/**
 * Checks whether the configured gateway answers, by an OPTIONS request to its checkout. Any status below 500 counts, as
 * gateways differ in what they allow there.
 */
export async function diagnose(endpoint: string, limitMs = LIMIT_MS): Promise<Diagnosis> {
  try {
    const response = await fetch(`${endpoint}/v1/checkout`, {
      method: 'OPTIONS',
      redirect: 'manual',
      signal: AbortSignal.timeout(limitMs),
    });
    await response.body?.cancel();
    return response.status < 500 ? 'working' : 'error';
  } catch {
    return 'error';
  }
}
