import { isIP } from 'node:net';
import type * as z from 'zod';
import { fieldOf, readConfigText } from '../../kinds/rancher-cluster/config-text.ts';
import { readSecretName, type SecretName } from '../../kinds/rancher-cluster/names.ts';
import { isObject } from '../../kube-api/json.ts';
import { checkSubdomain } from '../../kube-api/names.ts';
import { type ClusterYml, clusterYml, type NodeYml } from './config-schema.ts';
import type { Problem } from './problem.ts';
import { roleProblems } from './roles.ts';

export interface RancherNode {
  /** The node's field in the configuration: `nodes[0]`. */
  field: string;
  address: string;
  port: number;
  user: string;
  isControlPlane: boolean;
  isWorker: boolean;
  secret: SecretName;
  /** The field that names the Secret: that of the node, or that for all nodes. */
  secretField: string;
}

/** A configuration without errors. */
export interface RancherConfig {
  nodes: readonly RancherNode[];
  /** Undefined if not specified: the version is then kept. */
  version: string | undefined;
  yml: ClusterYml;
}

const SSH_PORT = 22;
const USER = /^[a-z_][a-z0-9_-]{0,31}$/;
const VERSION = /^v\d\.\d{2}\.\d+\+rke2r\d$/;

/** The values that `rke config` writes by default. */
const isUnset = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  value === false ||
  value === 0 ||
  (Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0);

const isNull = (value: unknown): boolean => value === null;

/** A flag is only in the configuration if a user has set it, including to `false` or `0`. */
const FLAGS = 'extra_args';

const withoutUnset = (value: unknown, isDropped = isUnset): unknown => {
  if (Array.isArray(value)) return value.map((item) => withoutUnset(item, isDropped));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(
    ([key, member]) => [key, withoutUnset(member, key === FLAGS ? isNull : isDropped)] as const,
  );
  return Object.fromEntries(members.filter(([, member]) => !isDropped(member)));
};

const problemsOf = ({ issues }: z.ZodError): Problem[] =>
  issues.flatMap((issue) => {
    const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ field: fieldOf([...path, key]), message: 'is not supported: leave it out' }));
    if (issue.code === 'invalid_value')
      return [{ field: fieldOf(path), message: `must be one of ${issue.values.map(String).join(', ')}` }];
    // The library's message about a wrong type does not quote the value.
    return [{ field: fieldOf(path), message: issue.message }];
  });

const addressProblem = (address: string | undefined): string | undefined => {
  if (!address) return 'is required';
  if (isIP(address) !== 0 || checkSubdomain(address).length === 0) return undefined;
  return 'must be an IP address or a DNS name';
};

const secretProblem = (path: string | undefined): string | undefined => {
  if (!path) return 'is required: name a Secret with the private key of the user, as <namespace>/<name>';
  if (readSecretName(path)) return undefined;
  return 'must name a Secret as <namespace>/<name>: files are not read, so put the private key into a Secret';
};

const userProblem = (user: string | undefined): string | undefined => {
  if (!user) return 'is required';
  return USER.test(user) ? undefined : 'is not a name of a user';
};

const portProblem = (port: number): string | undefined =>
  Number.isInteger(port) && port >= 1 && port <= 65_535 ? undefined : 'must be a number from 1 to 65535';

/** The field that names the Secret of a node, and the Secret's name. */
const secretOf = (yml: ClusterYml, { ssh_key_path: own }: NodeYml, field: string) =>
  own || !yml.ssh_key_path
    ? { secretField: `${field}.ssh_key_path`, path: own }
    : { secretField: 'ssh_key_path', path: yml.ssh_key_path };

const nodeProblems = (yml: ClusterYml): Problem[] =>
  (yml.nodes ?? []).flatMap((node, index) => {
    const field = `nodes[${index}]`;
    const { secretField, path } = secretOf(yml, node, field);
    const found: [string, string | undefined][] = [
      [`${field}.address`, addressProblem(node.address)],
      [`${field}.port`, portProblem(node.port ?? SSH_PORT)],
      [`${field}.user`, userProblem(node.user)],
      [secretField, secretProblem(path)],
    ];
    return found.flatMap(([at, message]) => (message ? [{ field: at, message }] : []));
  });

const duplicateProblems = ({ nodes = [] }: ClusterYml): Problem[] =>
  nodes.flatMap(({ address }, index) => {
    const first = nodes.findIndex((other) => other.address === address);
    if (address === undefined || first === index) return [];
    return [{ field: `nodes[${index}].address`, message: `is the address of nodes[${first}] as well` }];
  });

const versionProblems = ({ kubernetes_version: version }: ClusterYml): Problem[] =>
  version === undefined || VERSION.test(version)
    ? []
    : [{ field: 'kubernetes_version', message: 'must be a release of RKE2, such as v1.34.2+rke2r1' }];

const nameProblems = ({ cluster_name: own }: ClusterYml, name: string): Problem[] =>
  own === undefined || own === name
    ? []
    : [{ field: 'cluster_name', message: `must be the name of the Cluster, ${name}, or be left out` }];

const rangeProblems = ({ services }: ClusterYml): Problem[] => {
  const [api, controller] = [services?.['kube-api'], services?.['kube-controller']];
  const second = controller?.service_cluster_ip_range;
  if (second === undefined || second === api?.service_cluster_ip_range) return [];
  return [
    {
      field: 'services.kube-controller.service_cluster_ip_range',
      message: 'must be that of services.kube-api, or be left out',
    },
  ];
};

const nodesOf = (yml: ClusterYml): RancherNode[] =>
  (yml.nodes ?? []).map((node, index) => {
    const field = `nodes[${index}]`;
    const { secretField, path = '' } = secretOf(yml, node, field);
    return {
      field,
      address: node.address ?? '',
      port: node.port ?? SSH_PORT,
      user: node.user ?? '',
      isControlPlane: (node.role ?? []).includes('controlplane'),
      isWorker: (node.role ?? []).includes('worker'),
      secret: readSecretName(path) ?? { namespace: '', name: '' },
      secretField,
    };
  });

/**
 * Parses a `cluster.yml` for the Cluster with this name. Returns its errors if there are any. They quote only roles
 * from it.
 */
export const readRancherConfig = (text: string, name: string): RancherConfig | readonly Problem[] => {
  const value = readConfigText(text);
  if (!isObject(value)) return [{ field: '', message: 'is not a cluster.yml: it must be an object in YAML' }];
  const parsed = clusterYml.safeParse(withoutUnset(value));
  if (!parsed.success) return problemsOf(parsed.error);
  const yml = parsed.data;
  const problems = [
    ...roleProblems(yml.nodes ?? []),
    ...[nodeProblems, duplicateProblems, versionProblems, rangeProblems].flatMap((rule) => rule(yml)),
    ...nameProblems(yml, name),
  ];
  const once = new Map(problems.map((one) => [`${one.field} ${one.message}`, one]));
  return once.size > 0 ? [...once.values()] : { nodes: nodesOf(yml), version: yml.kubernetes_version, yml };
};

export const isProblems = (read: RancherConfig | readonly Problem[]): read is readonly Problem[] => Array.isArray(read);
