/** A browser's cookies, for following a provider's redirects without one. */
export function providerBrowser() {
  const jar = new Map<string, string>();

  async function step(address: string): Promise<Response> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(address, { headers: { cookie }, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return answer;
  }

  return {
    /** Follows the provider's redirects until one leads to the service; returns that address. */
    async signInAt(address: string, serviceUrl: string): Promise<string> {
      let next = address;
      for (let steps = 0; steps < 10; steps += 1) {
        const answer = await step(next);
        const location = answer.headers.get('location');
        if (!location) {
          throw new Error(`The provider stays at ${next}: ${answer.status} ${await answer.text()}`);
        }
        next = new URL(location, next).href;
        if (next.startsWith(serviceUrl)) return next;
      }
      throw new Error('The provider redirects on and on');
    },
  };
}
