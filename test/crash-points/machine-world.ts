/** A control plane machine or a worker, with all steps of its two workflows, each of whose effects can be the last. */

import type { V1Node } from '@kubernetes/client-node';
import { makeNodeSteps } from '../../functions/machine/node/steps.ts';
import { makeMachineObjectsSteps } from '../../functions/machine/objects/steps.ts';
import { makeBootstrapDelivery } from '../../functions/providers/aws/bootstrap-remains.ts';
import { makeInstanceSteps } from '../../functions/providers/aws/instance/steps.ts';
import { makeTargetSteps } from '../../functions/providers/aws/target/steps.ts';
import type { ClusterCertificates } from '../../shared/bootstrap/certificates/authority.ts';
import {
  type AWSCluster,
  type AWSMachine,
  type Cluster,
  KINDS,
  kinds,
  type Machine,
} from '../../shared/kinds/index.ts';
import { LABEL } from '../../shared/plan/labels.ts';
import { ENOUGH } from '../../shared/plan/machines/test-node.ts';
import type { TargetGroup, Targets } from '../../shared/providers/aws/api/elbv2-targets.ts';
import { OWNER_TAG } from '../../shared/providers/aws/tags.ts';
import type { TestDatabase } from '../../shared/store/test-table.ts';
import { createMemoryPledges } from '../../shared/store/work/memory-pledges.ts';
import type { ClusterRef, MachineInput } from '../../shared/work/payloads.ts';
import type { TokenSecret, WorkloadClient } from '../../shared/workload/client.ts';
import { type Executioner, isObjectWrite } from '../cluster-infrastructure/faults.ts';
import { type MachineWorld, startMachineWorld } from '../machine-lifecycle/world.ts';
import { moreObjects, other, ref } from './machine-objects.ts';

const KEY = { namespace: 'default', name: 'm-1' };
const CLUSTER = { namespace: 'default', name: 'red' };

/** The state apart from the objects: the workload cluster and the load balancer. */
interface Outside {
  nodes: Map<string, V1Node>;
  tokens: Map<string, TokenSecret>;
  targets: Set<string>;
}

const TAGS = { [OWNER_TAG]: `${CLUSTER.namespace}/${CLUSTER.name}` };
const GROUP: TargetGroup = { arn: 'group', port: 6443, tags: TAGS, balancerTags: {} };

const targetsOf = ({ targets }: Outside): Targets => ({
  groupsOf: async () => [GROUP],
  register: async (_, id) => {
    targets.add(id);
    return true;
  },
  deregister: async (_, id) => void targets.delete(id),
});

const clientOf = ({ nodes, tokens }: Outside): WorkloadClient =>
  ({
    nodes: async () => [...nodes.values()],
    controlPlanePods: async () => [],
    bootstrapTokens: async () => [],
    bootstrapTokenExpiry: async () => undefined,
    putBootstrapToken: async (secret) => void tokens.set(secret.metadata.name, secret),
    deleteBootstrapToken: async (name) => void tokens.delete(name),
    cloudController: async () => 'DaemonSet kube-system/aws-cloud-controller-manager',
    hasSystemObject: async () => true,
    systemConfigMap: async () => ({}),
    patchNode: async (name, { labels = {}, annotations = {} }) => {
      const node = nodes.get(name);
      if (!node) return;
      const metadata = {
        ...node.metadata,
        labels: { ...node.metadata?.labels, ...labels } as Record<string, string>,
        annotations: { ...node.metadata?.annotations, ...annotations } as Record<string, string>,
      };
      nodes.set(name, { ...node, metadata });
    },
    deleteNode: async (name) => void nodes.delete(name),
    drain: {
      node: async (name: string) => {
        const node = nodes.get(name);
        return node && { name, unschedulable: node.spec?.unschedulable === true, unreachable: false, volumes: [] };
      },
      cordon: async (name: string) => {
        const node = nodes.get(name);
        if (node) nodes.set(name, { ...node, spec: { ...node.spec, unschedulable: true } });
      },
      podsOn: async () => [],
      namespaces: async () => new Map(),
      hasDaemonSet: async () => false,
      evict: async () => ({ outcome: 'gone' as const }),
      attachedVolumes: async () => [],
      persistentVolumes: async () => [],
    },
    close: async () => {},
  }) as Partial<WorkloadClient> as WorkloadClient;

const isWorkloadWrite = (method: string): boolean => /^(patch|put|delete|set|create|replace|apply)/.test(method);
const isWorkWrite = (method: string): boolean => /(Machine|Removal|.NodeWatch)$/.test(method);

const objectsReady = async (
  { dependencies: { objects } }: MachineWorld,
  certificates: ClusterCertificates,
  isControlPlane: boolean,
): Promise<void> => {
  for (const object of [...moreObjects(certificates), ...(isControlPlane ? [] : [other()])]) {
    const resource = KINDS.find(({ kind }) => kind === object.kind);
    if (resource) await objects.ensure(resource, object);
  }
  await objects.mutate<Cluster>(kinds.cluster, CLUSTER, (current) => ({
    ...current,
    metadata: { ...current.metadata, finalizers: ['cluster.cluster.x-k8s.io'] },
    spec: {
      ...current.spec,
      controlPlaneEndpoint: { host: 'api.example.com', port: 6443 },
      controlPlaneRef: ref('controlplane', 'KubeadmControlPlane', 'red'),
    },
  }));
  await objects.mutate<AWSCluster>(kinds.awsCluster, CLUSTER, (current) => ({
    ...current,
    spec: { ...current.spec, controlPlaneLoadBalancer: { loadBalancerType: 'nlb' } },
    status: {
      ...current.status,
      networkStatus: {
        ...current.status?.networkStatus,
        securityGroups: {
          ...current.status?.networkStatus?.securityGroups,
          controlplane: current.status?.networkStatus?.securityGroups?.node,
        },
      },
    } as AWSCluster['status'],
  }));
  await objects.mutate<Machine>(kinds.machine, KEY, (current) => ({
    ...current,
    metadata: {
      ...current.metadata,
      labels: { ...current.metadata.labels, ...(isControlPlane ? { [LABEL.controlPlane]: '' } : {}) },
    },
    spec: { ...current.spec, bootstrap: { configRef: ref('bootstrap', 'KubeadmConfig', 'm-1') } },
  }));
  const config = await objects.get(kinds.kubeadmConfig, KEY);
  const { apiVersion = '', kind = '' } = config ?? {};
  const owner = { apiVersion, kind, name: KEY.name, uid: config?.metadata.uid ?? '', controller: true };
  await objects.mutate(kinds.secret, KEY, (current) => ({
    ...current,
    metadata: { ...current.metadata, ownerReferences: [owner] },
  }));
};

export interface CrashableMachine {
  world: MachineWorld;
  outside: Outside;
  touched: ClusterRef[];
  /** One execution of provision-machine. */
  provision(executioner: Executioner): Promise<void>;
  /** One execution of remove-machine. */
  remove(executioner: Executioner): Promise<void>;
  deleteMachine(): Promise<void>;
  close(): Promise<void>;
}

const context = { log: { info() {}, warn() {}, error() {}, with: () => context.log } } as never as { log: never };
const MOST_LOOKS = 40;
const nothing = async (): Promise<void> => {};

/** Waits as the workflow does, while the machine boots. */
const poll = async (look: () => Promise<{ progress: string }>, between: () => Promise<void>): Promise<string> => {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const { progress } = await look();
    if (progress !== 'wait') return progress;
    await between();
  }
  throw new Error(`nothing came of it after ${MOST_LOOKS} looks`);
};

/** A machine that is not being deleted. */
export const startCrashableMachine = async (
  database: TestDatabase,
  certificates: ClusterCertificates,
  isControlPlane: boolean,
): Promise<CrashableMachine> => {
  const world = await startMachineWorld(database);
  const { dependencies, clock, input } = world;
  await objectsReady(world, certificates, isControlPlane);
  const outside: Outside = { nodes: new Map(), tokens: new Map(), targets: new Set() };
  const touched: ClusterRef[] = [];
  let executions = 0;
  await dependencies.work.removeMachine(input.machine);
  const pledges = createMemoryPledges(dependencies);
  const stepsFor = (executioner: Executioner) => {
    const { ec2, stores, work, objects } = dependencies;
    const instances = executioner.guard(ec2({} as never), (method) =>
      /^(run|terminate|allocate|associate|release)/.test(method),
    );
    const { bootstrapSecrets, bootstrapObjects } = stores({} as never);
    const guardedStores = {
      bootstrapSecrets: executioner.guard(bootstrapSecrets, () => true),
      bootstrapObjects: executioner.guard(bootstrapObjects, () => true),
    };
    const toucher = executioner.guard({ touch: async (cluster: ClusterRef) => void touched.push(cluster) }, () => true);
    const targets = executioner.guard(targetsOf(outside), (method) => method !== 'groupsOf');
    const client = executioner.guard(clientOf(outside), isWorkloadWrite);
    const deps = {
      ...dependencies,
      objects: executioner.guard(objects, isObjectWrite),
      work: executioner.guard(work, isWorkWrite),
      ec2: () => instances,
      stores: () => guardedStores,
      touch: (cluster: ClusterRef) => toucher.touch(cluster),
      pledges: executioner.guard(pledges, (method) => method !== 'open'),
    };
    return {
      ...makeMachineObjectsSteps({ ...deps, deliveries: { aws: makeBootstrapDelivery(deps) } }),
      ...makeInstanceSteps(deps),
      ...makeTargetSteps({ ...deps, targets: () => targets, classicTargets: () => targets }),
      ...makeNodeSteps({ ...deps, connect: () => client }),
    };
  };

  /** Makes each running instance that is configured to join a node. */
  const boot = async (): Promise<void> => {
    clock.advance(10);
    const machine = await dependencies.objects.get<AWSMachine>(kinds.awsMachine, KEY);
    const live = await world.liveInstances();
    for (const id of live) {
      if (machine?.spec.instanceID !== id || outside.nodes.has(id)) continue;
      outside.nodes.set(id, {
        metadata: { name: id, labels: {}, annotations: {} },
        spec: { providerID: machine.spec.providerID ?? '' },
        status: { conditions: [{ type: 'Ready', status: 'True' }, ...ENOUGH] },
      });
    }
  };

  /** The lease of an execution that crashed expires first. */
  const begin = () => {
    executions += 1;
    clock.advance(600);
    return { ...input, holder: `${input.machine.uid}-${executions}` };
  };

  /** The rest of an execution that watches for the nodes of all machines, as in the workflow. */
  const watch = async (steps: ReturnType<typeof stepsFor>, own: MachineInput): Promise<void> => {
    await poll(async () => {
      await boot();
      const seen = await steps.watchNodes(own, context);
      if (seen.anyFinished) await steps.finishWatched({ ...own, finished: seen.finished }, context);
      return seen;
    }, nothing);
  };

  return {
    world,
    outside,
    touched,
    provision: async (executioner) => {
      const steps = stepsFor(executioner);
      const own = begin();
      const { proceed, controlPlane } = await steps.beginProvision(own, context);
      if (!proceed) return;
      await steps.bootstrapData(own, context);
      await steps.launchInstance(own, context);
      const ran = await poll(() => steps.observeInstance(own, context), boot);
      if (ran === 'done') {
        if (controlPlane) await steps.attachEndpoint(own, context);
        const { progress } = await steps.confirmNode(own, context);
        if (progress === 'joined') return;
        if (progress === 'watch') return watch(steps, own);
      }
      await steps.finishProvision(own, context);
    },
    remove: async (executioner) => {
      const steps = stepsFor(executioner);
      const own = begin();
      const { proceed, controlPlane } = await steps.beginRemove(own, context);
      if (!proceed) return;
      const wait = async () => clock.advance(10);
      if ((await poll(() => steps.drainNode(own, context), wait)) !== 'done') return;
      if (controlPlane) {
        if ((await poll(() => steps.leaveEtcd(own, context), wait)) !== 'done') return;
        await steps.detachEndpoint(own, context);
      }
      if ((await poll(() => steps.terminateInstance(own, context), wait)) === 'done')
        await steps.deleteNode(own, context);
      await steps.finishRemove(own, context);
    },
    deleteMachine: async () => {
      // The complete cluster is deleted: waits for etcd have their own tests.
      if (isControlPlane) await dependencies.objects.delete(kinds.cluster, CLUSTER);
      await dependencies.objects.delete(kinds.machine, KEY);
    },
    close: () => world.close(),
  };
};
