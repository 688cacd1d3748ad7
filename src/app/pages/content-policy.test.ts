import { describe, expect, it } from 'vitest';
import { contentPolicy } from './content-policy.ts';
import { needsOf } from './route-handle.ts';

const gatewayOrigins = ['https://gateway.example'];
const policyOf = (...handles: unknown[]) =>
  new Map(
    contentPolicy(needsOf(handles), { inline: "'nonce-n0nce'", gatewayOrigins })
      .split('; ')
      .map((directive) => {
        const [name, ...sources] = directive.split(' ');
        return [name ?? '', sources] as const;
      }),
  );

describe('the content security policy', () => {
  it('allows our own origin alone, and inline only what bears the nonce', () => {
    const policy = policyOf(undefined, {});
    expect(policy.get('default-src')).toEqual(["'none'"]);
    expect(policy.get('script-src')).toEqual(["'self'", "'nonce-n0nce'"]);
    expect(policy.get('connect-src')).toEqual(["'self'"]);
    expect(policy.get('form-action')).toEqual(["'self'"]);
    expect(policy.get('frame-src')).toEqual(["'none'"]);
  });

  it('allows styles in the document in development alone', () => {
    expect(policyOf({}).get('style-src')).toEqual(["'self'"]);
    const about = { inline: '', gatewayOrigins: [] };
    const production = contentPolicy(needsOf([{}]), about);
    const development = contentPolicy(needsOf([{}]), { ...about, inlineStyles: true });
    expect(development).toBe(
      production.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'"),
    );
  });

  it('allows a page without scripts of its own no inline script', () => {
    expect(policyOf({ scriptFree: true }).get('script-src')).toEqual(["'self'"]);
  });

  it('lets the redirect page alone post to the gateway', () => {
    const policy = policyOf({}, { postsToGateway: true });
    expect(policy.get('form-action')).toEqual(["'self'", 'https://gateway.example']);
    expect(policy.get('connect-src')).toEqual(["'self'"]);
  });

  it('lets pages with PayPal’s script reach PayPal, and no page else', () => {
    const paypal = policyOf({ paypalScript: true });
    for (const name of ['script-src', 'connect-src', 'frame-src', 'img-src']) {
      expect(paypal.get(name)).toContain('https://*.paypal.com');
      expect(policyOf({ paypalScript: 'yes' }).get(name)).not.toContain('https://*.paypal.com');
    }
    expect(paypal.get('form-action')).toEqual(["'self'"]);
  });
});
