import { index, layout, route, type RouteConfig } from '@react-router/dev/routes';

/** Every page URL of Lale, in the order of the specification. Calls (`/api/…`) are listed in `api.server.ts`. */
export default [
  layout('features/site/site-layout.tsx', [
    index('features/site/pages/home.tsx'),
    route('*', 'features/site/pages/not-found.tsx'),
  ]),
] satisfies RouteConfig;
