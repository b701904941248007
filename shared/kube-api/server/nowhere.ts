import type { ResourceDefinition } from '../resource.ts';
import { nothingThere } from '../status-error.ts';
import { respondFailure } from './respond.ts';
import { REVIEWS } from './review-kinds.ts';

/** Under the paths of upstream's own kinds, a missing path is refused in JSON. */
const isBuiltInPath = (resources: readonly ResourceDefinition[], path: string): boolean => {
  const [, root, group] = path.split('/');
  if (root === 'api' || root === 'version') return true;
  if (root !== 'apis' || group === '') return false;
  return (
    REVIEWS.some((review) => review.group === group) ||
    resources.some((known) => known.builtIn && known.group === group)
  );
};

/** The response to a path that names nothing, in upstream's form. */
export const answerNowhere = (resources: readonly ResourceDefinition[], path: string): Response => {
  if (isBuiltInPath(resources, path)) return respondFailure(nothingThere());
  const headers = { 'cache-control': 'no-cache, private' };
  if (path.startsWith('/openapi/v3/')) return new Response(null, { status: 404, headers });
  return new Response('404 page not found\n', {
    status: 404,
    headers: { ...headers, 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  });
};
