/**
 * Whether this run looks at everything, as `npm run test:thorough` does each night. Otherwise tests take a sample of
 * what is alike, so that `npm test` stays short.
 */
export const isThorough = Boolean(process.env.THOROUGH);
