import { data } from 'react-router';
import { MissingPage } from '../missing-page.tsx';

export const handle = { scriptFree: true };

export const loader = () => data(null, { status: 404 });

/** The fallback of the route table. */
function NotFound() {
  return <MissingPage />;
}

export { NotFound as default };
