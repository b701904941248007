import { isDeepStrictEqual } from 'node:util';
import type { Host, Machine, MachineDeployment, RKE2ControlPlane } from '../../kinds/index.ts';
import { isControlPlaneMachine } from '../labels.ts';
import type { RancherConfig, RancherNode } from './config.ts';
import { type DesiredFacts, firstNode } from './desired.ts';
import { hostNameOf } from './names.ts';
import type { Problem } from './problem.ts';
import { serverConfigsOf } from './rke2.ts';

/** The existing objects of a cluster on its hosts. */
export interface Standing {
  hosts: readonly Host[];
  machines: readonly Machine[];
  controlPlane: RKE2ControlPlane | undefined;
  deployment: MachineDeployment | undefined;
}

/** The machine that has claimed a host. */
export const machineOn = ({ status }: Host, machines: readonly Machine[]): Machine | undefined =>
  machines.find(({ spec }) => status?.claim !== undefined && spec.infrastructureRef.name === status.claim.machine);

const nodesByHost = ({ nodes }: Pick<RancherConfig, 'nodes'>): ReadonlyMap<string, RancherNode> =>
  new Map(nodes.map((node) => [hostNameOf(node.address), node]));

/** Machines on hosts that the configuration no longer has, or has in another role. */
export const leavingMachines = (config: RancherConfig, { hosts, machines }: Standing): Machine[] => {
  const nodes = nodesByHost(config);
  return hosts.flatMap((host) => {
    const [machine, node] = [machineOn(host, machines), nodes.get(host.metadata.name)];
    return machine && node?.isControlPlane !== isControlPlaneMachine(machine) ? [machine] : [];
  });
};

/** The hosts that were created for a cluster and are no longer in its configuration. */
export const leavingHosts = (config: RancherConfig, own: readonly Host[]): Host[] => {
  const nodes = nodesByHost(config);
  return own.filter(({ metadata }) => !nodes.has(metadata.name));
};

const isGoing = ({ metadata }: Machine): boolean => metadata.deletionTimestamp !== undefined;

/**
 * The machines that must be replaced although no owner deletes them: a node was replaced by another one, so the number
 * of replicas is unchanged. One at a time for each role, and none while one is being deleted.
 */
export const machinesToReplace = (config: RancherConfig, standing: Standing): Machine[] => {
  const leaving = leavingMachines(config, standing);
  return [true, false].flatMap((isServer) => {
    const all = standing.machines.filter((machine) => isControlPlaneMachine(machine) === isServer);
    const wanted = config.nodes.filter(({ isControlPlane }) => isControlPlane === isServer).length;
    if (all.some(isGoing) || all.length > wanted) return [];
    return leaving.filter((machine) => isControlPlaneMachine(machine) === isServer).slice(0, 1);
  });
};

const endpointProblem = ({ config, endpoint }: Pick<DesiredFacts, 'config' | 'endpoint'>): Problem[] => {
  if (config.yml.authentication?.sans?.includes(endpoint.host)) return [];
  if (firstNode({ config, endpoint })?.address === endpoint.host) return [];
  const message = `must keep ${endpoint.host} with the role controlplane, because the endpoint of the cluster leads there`;
  return [{ field: 'nodes', message }];
};

const lossProblem = (config: RancherConfig, standing: Standing): Problem[] => {
  const servers = standing.machines.filter((machine) => isControlPlaneMachine(machine) && !isGoing(machine));
  const leaving = leavingMachines(config, standing);
  if (servers.length === 0 || servers.some((machine) => !leaving.includes(machine))) return [];
  const message = 'must keep a node of the control plane that runs: the cluster would be lost with all of them';
  return [{ field: 'nodes', message }];
};

/** With fewer servers, none can be replaced in order to change it. */
const LEAST_TO_CHANGE = 3;

/** Why servers cannot be replaced in order to change them; undefined if they can. */
const whyKept = ({ config, endpoint }: Pick<DesiredFacts, 'config' | 'endpoint'>): string | undefined => {
  const servers = config.nodes.filter(({ isControlPlane }) => isControlPlane);
  if (servers.length < LEAST_TO_CHANGE) return 'with fewer than three nodes of the control plane';
  // While that node is replaced, the health of the others cannot be checked.
  return servers.some(({ address }) => address === endpoint.host)
    ? `while the endpoint of the cluster is the address of a node, ${endpoint.host}, and not that of a load balancer`
    : undefined;
};

type ChangeFacts = Pick<DesiredFacts, 'config' | 'version' | 'endpoint'>;

const changeProblems = (facts: ChangeFacts, { controlPlane }: Standing): Problem[] => {
  const why = whyKept(facts);
  if (!controlPlane || !why) return [];
  const { spec } = controlPlane;
  const { agentConfig, serverConfig } = serverConfigsOf(facts.config);
  const { format: _, ...agent } = spec.agentConfig ?? {};
  const message = `cannot be changed ${why}, because the change replaces each machine`;
  const isChanged = !isDeepStrictEqual(agent, agentConfig) || !isDeepStrictEqual(spec.serverConfig ?? {}, serverConfig);
  return [
    ...(spec.version === facts.version ? [] : [{ field: 'kubernetes_version', message }]),
    ...(isChanged ? [{ field: 'services', message: `and other settings of the control plane ${message}` }] : []),
  ];
};

/** Why a configuration cannot be applied to an existing cluster. */
export const changesRefused = (
  facts: Pick<DesiredFacts, 'config' | 'endpoint' | 'version' | 'isInitialized'>,
  standing: Standing,
): Problem[] =>
  facts.isInitialized
    ? [...endpointProblem(facts), ...lossProblem(facts.config, standing), ...changeProblems(facts, standing)]
    : [];
