import type { ResourceDefinition } from '../resource.ts';
import { nothingThere } from '../status-error.ts';
import { respondFailure } from './respond.ts';
import { REVIEWS } from './review-kinds.ts';

/** Where upstream's own kinds are, what is not there is refused in JSON. */
const isBuiltInPath = (resources: readonly ResourceDefinition[], path: string): boolean => {
  const [, root, group] = path.split('/');
  if (root === 'api' || root === 'version') return true;
  if (root !== 'apis' || group === '') return false;
  return (
    REVIEWS.some((review) => review.group === group) ||
    resources.some((known) => known.builtIn && known.group === group)
  );
};

/** The answer to a path that names nothing, in the form that it has upstream. */
export const answerNowhere = (resources: readonly ResourceDefinition[], path: string): Response => {
  if (isBuiltInPath(resources, path)) return respondFailure(nothingThere());
  const headers = { 'cache-control': 'no-cache, private' };
  if (path.startsWith('/openapi/v3/')) return new Response(null, { status: 404, headers });
  return new Response('404 page not found\n', {
    status: 404,
    headers: { ...headers, 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  });
};
