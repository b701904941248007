/** Decides which requests of the page are forwarded to the Kubernetes API. Pure. */

/** Whether a request is forwarded; a refusal contains the reason. */
type Verdict = { isAllowed: true } | { isAllowed: false; code: 403 | 404 | 405; why: string };

const refuse = (code: 403 | 404 | 405, why: string): Verdict => ({ isAllowed: false, code, why });

/**
 * One segment of a path. Names of objects need no percent sign, so none is allowed: encoding could hide a segment from
 * the rules below.
 */
const SEGMENT = /^[A-Za-z0-9][A-Za-z0-9._:-]*$/;

const READS = ['GET'];
const WRITES = ['PATCH', 'PUT'];

/**
 * The segments after the version, without the namespace: resource and name. `undefined` if the path does not belong to
 * the API.
 */
const resourceOf = (path: string): string[] | undefined => {
  const [empty, root, ...rest] = path.split('/');
  if (empty !== '' || (root !== 'api' && root !== 'apis') || !rest.every((segment) => SEGMENT.test(segment)))
    return undefined;
  const behind = rest.slice(root === 'api' ? 1 : 2);
  return behind[0] === 'namespaces' && behind.length > 2 ? behind.slice(2) : behind;
};

/**
 * Checks the method and the path (without its query). Only discovery, collections and objects are forwarded: no
 * subresources, which give access to containers and issue tokens, no `watch` prefix, and never Secrets.
 */
export const judge = (method: string, path: string, canWrite: boolean): Verdict => {
  const methods = canWrite ? [...READS, ...WRITES] : READS;
  if (!methods.includes(method))
    return refuse(405, canWrite ? `${method} is not available here` : `${method} needs windlass ui --write`);
  const resource = resourceOf(path);
  if (resource === undefined) return refuse(404, 'there is nothing at this path');
  const [kind = '', name] = resource;
  if (kind.toLowerCase() === 'secrets') return refuse(403, 'Secrets are not shown in the page');
  if (kind === 'watch' || resource.length > 2) return refuse(403, 'only objects and lists of objects are passed on');
  if (WRITES.includes(method) && name === undefined) return refuse(405, 'only single objects can be changed');
  return { isAllowed: true };
};
