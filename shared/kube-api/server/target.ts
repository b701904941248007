import type { ResourceDefinition } from '../resource.ts';
import { segmentsOf } from './path-segment.ts';

/** The target of a URL path under /api or /apis. */
export interface Target {
  resource: ResourceDefinition;
  /** Empty for cluster-scoped resources and for lists across namespaces. */
  namespace: string;
  /** Absent for collections. */
  name?: string;
  subresource?: string;
}

/** Subresources of a namespace, which would otherwise be read as resources inside it. */
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);

/** Parses the decoded path `/api/v1/…` or `/apis/<group>/<version>/…`; undefined if it belongs to no resource. */
export const parseTarget = (resources: readonly ResourceDefinition[], path: string): Target | undefined => {
  // Upstream matches the root exactly, and ignores further slashes only at the end.
  if (path.startsWith('//')) return undefined;
  const [root, ...segments] = segmentsOf(path);
  if (root === 'api') return inVersion(resources, '', segments);
  return root === 'apis' ? inVersion(resources, segments[0] ?? '', segments.slice(1)) : undefined;
};

const inVersion = (
  resources: readonly ResourceDefinition[],
  group: string,
  [version, ...segments]: string[],
): Target | undefined => {
  const [first, namespace, plural, ...rest] = segments;
  const inNamespace =
    first === 'namespaces' && namespace !== undefined && plural !== undefined && !NAMESPACE_SUBRESOURCES.has(plural);
  const [wanted, name, subresource, ...more] = inNamespace ? [plural, ...rest] : segments;
  const resource = resources.find(
    (known) => known.group === group && known.version === version && known.plural === wanted,
  );
  // As in upstream, what follows a subresource of a custom resource is ignored.
  const isTooLong = more.length > 0 && resource?.builtIn;
  if (!resource || isTooLong || inNamespace !== (resource.namespaced && (inNamespace || name !== undefined))) {
    return undefined;
  }
  return { resource, namespace: inNamespace ? namespace : '', name, subresource };
};
