import { data } from 'react-router';
import { MissingPage } from './missing-page.tsx';

export const handle = { scriptFree: true };

export const loader = () => data(null, { status: 404 });

/** The catch-all route. */
function NotFound() {
  return <MissingPage />;
}

export { NotFound as default };
