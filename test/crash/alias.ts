/** Lets Node resolve `~/` as the bundler does. Import it before anything of `src`: `node --import`. */
import { registerHooks } from 'node:module';

const source = new URL('../../src/', import.meta.url);

registerHooks({
  resolve: (specifier, context, next) =>
    next(
      specifier.startsWith('~/') ? new URL(specifier.slice(2), source).href : specifier,
      context,
    ),
});
