export type Diagnosis = 'working' | 'error';

const LIMIT_MS = 5000;

/**
 * Asks the configured gateway whether it is there, by an OPTIONS request to its checkout. Any answer below 500 counts:
 * what a gateway allows on that address is its own business.
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
