import { kinds, type Secret } from '../../../shared/kinds/index.ts';
import { secretText } from '../../../shared/kinds/rancher-cluster/names.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import type { RancherConfig, RancherNode } from '../../../shared/plan/rancher/config.ts';
import type { NodeAccess } from '../../../shared/plan/rancher/desired.ts';
import { knownHostKey } from '../../../shared/plan/rancher/known-hosts.ts';
import type { Problem } from '../../../shared/plan/rancher/problem.ts';

const keysOf = (node: RancherNode, secret: Secret | undefined): NodeAccess | Problem => {
  const { secretField, address, port } = node;
  const which = `Secret ${secretText(node.secret)}`;
  if (!secret) return { field: secretField, message: `${which} does not exist` };
  const privateKey = secret.data?.['ssh-privatekey'];
  if (!privateKey) return { field: secretField, message: `${which} has no key ssh-privatekey` };
  const known = Buffer.from(secret.data?.known_hosts ?? '', 'base64').toString('utf8');
  const hostKey = knownHostKey(known, address, port);
  if (hostKey) return { node, hostKey, privateKey };
  const remedy = `add what "ssh-keyscan -p ${port} ${address}" prints, after comparing it with the host`;
  return { field: `${node.field}.address`, message: `known_hosts in ${which} has no key of ${address}: ${remedy}` };
};

const isProblem = (found: NodeAccess | Problem): found is Problem => 'message' in found;

/** Reads the keys of all nodes and of their user. Returns what is missing, if anything is. */
export const readAccess = async (
  objects: Pick<ObjectClient, 'get'>,
  { nodes }: RancherConfig,
): Promise<NodeAccess[] | Problem[]> => {
  const names = new Map(nodes.map(({ secret }) => [secretText(secret), secret]));
  const secrets = new Map(
    await Promise.all([...names].map(async ([place, name]) => [place, await objects.get(kinds.secret, name)] as const)),
  );
  const found = nodes.map((node) => keysOf(node, secrets.get(secretText(node.secret))));
  const problems = found.filter(isProblem);
  const once = [...new Map(problems.map((one) => [`${one.field} ${one.message}`, one])).values()];
  return once.length > 0 ? once : found.filter((one): one is NodeAccess => !isProblem(one));
};

export const areProblems = (found: readonly (NodeAccess | Problem)[]): found is Problem[] => found.some(isProblem);
