import type { NodeYml } from './config-schema.ts';
import type { Problem } from './problem.ts';

const ROLES = ['controlplane', 'etcd', 'worker'];

/** A role comes from a user, and others read the condition. */
const shown = (role: string): string => JSON.stringify(role.slice(0, 40));

const problemsOfNode = ({ role = [] }: NodeYml, index: number): Problem[] => {
  const field = `nodes[${index}].role`;
  if (role.length === 0) return [{ field, message: `is required: one or more of ${ROLES.join(', ')}` }];
  const unknown = role.flatMap((one, at) =>
    ROLES.includes(one)
      ? []
      : [{ field: `${field}[${at}]`, message: `${shown(one)} is not a role: must be one of ${ROLES.join(', ')}` }],
  );
  if (unknown.length > 0 || role.includes('controlplane') === role.includes('etcd')) return unknown;
  return [{ field, message: 'must have controlplane and etcd together: RKE2 runs etcd on control plane nodes' }];
};

const isServer = ({ role = [] }: NodeYml): boolean => role.includes('controlplane');

/** All machines of a control plane have the same configuration, which includes whether they run users' pods. */
const mixture = (nodes: readonly NodeYml[]): Problem[] => {
  const servers = nodes.flatMap((node, index) => (isServer(node) ? [{ node, index }] : []));
  const first = servers[0]?.node.role?.includes('worker');
  const other = servers.find(({ node }) => node.role?.includes('worker') !== first);
  if (!other) return [];
  const message = `must have worker ${first ? 'too, as' : 'no more than'} the first node of the control plane: all of them are configured alike`;
  return [{ field: `nodes[${other.index}].role`, message }];
};

/** The errors in the roles of the nodes. */
export const roleProblems = (nodes: readonly NodeYml[]): Problem[] => {
  if (nodes.length === 0) return [{ field: 'nodes', message: 'is required: a cluster has at least one node' }];
  const own = nodes.flatMap(problemsOfNode);
  if (own.length > 0) return own;
  if (!nodes.some(isServer))
    return [{ field: 'nodes', message: 'has no node with the role controlplane: a cluster needs at least one' }];
  return mixture(nodes);
};
