/** Changes by users to a cluster with a ClusterClass, to its class, and to the objects that its topology manages. */
import type { ClusterClass } from '../../../../shared/kinds/cluster-class/schema.ts';
import type { AWSMachineTemplate, Cluster, MachineDeployment } from '../../../../shared/kinds/index.ts';
import { TOPOLOGY_LABEL } from '../../../../shared/plan/topology/objects.ts';
import { CLASS, OTHER_CLASS } from '../stories/topology.ts';
import { CLUSTER, CONTROL_PLANE, NEXT_VERSION, named } from '../user.ts';
import { type Change, type Dice, live, type Place, toggle } from './change.ts';

type Topology = NonNullable<Cluster['spec']['topology']>;
type Group = NonNullable<NonNullable<Topology['workers']>['machineDeployments']>[number];

const TYPES = ['t3.large', 'm5.large'];
const NAMES = ['md-0', 'md-1', 'md-2'];
const WORKER_TYPE = 'workerInstanceType';
export const DEFER = 'topology.cluster.x-k8s.io/defer-upgrade';

export const groupsOf = ({ spec }: Cluster): readonly Group[] => spec.topology?.workers?.machineDeployments ?? [];

/** A change to an existing topology. */
const ofTopology =
  (change: (cluster: Cluster, place: Place, dice: Dice) => ReturnType<Change>): Change =>
  async (place, dice) => {
    const cluster = (await live<Cluster>(place, 'Cluster')).find(({ metadata }) => metadata.name === CLUSTER);
    return cluster?.spec.topology && change(cluster, place, dice);
  };

const patch = ({ user }: Place, topology: object): Promise<void> =>
  user.patch('Cluster', CLUSTER, { spec: { topology } });

const patchGroups = (place: Place, machineDeployments: readonly object[]): Promise<void> =>
  patch(place, { workers: machineDeployments.length > 0 ? { machineDeployments } : null });

/** Changes one group, selected at random. Returns its name. */
const changeGroup = async (
  place: Place,
  cluster: Cluster,
  { one }: Dice,
  change: (group: Group) => object,
): Promise<string | undefined> => {
  const groups = groupsOf(cluster);
  const chosen = one(groups);
  if (chosen === undefined) return undefined;
  await patchGroups(
    place,
    groups.map((group) => (group === chosen ? change(group) : group)),
  );
  return chosen.name;
};

const withVariable = (all: readonly { name: string }[] | undefined, value: string | undefined, name = WORKER_TYPE) => [
  ...(all ?? []).filter((variable) => variable.name !== name),
  { name, value },
];

const managedDeployments = async (place: Place): Promise<MachineDeployment[]> =>
  (await live<MachineDeployment>(place, 'MachineDeployment')).filter(
    ({ metadata }) => TOPOLOGY_LABEL.owned in (metadata.labels ?? {}),
  );

/** Copies the class to a new name, with another template for the workers. Returns the name. */
const copyClass = async ({ user }: Place, from: ClusterClass, instanceType: string): Promise<string | undefined> => {
  const templates = await user.list<AWSMachineTemplate>('AWSMachineTemplate');
  const [worker] = from.spec.workers?.machineDeployments ?? [];
  const template = templates.find(({ metadata }) => metadata.name === worker?.infrastructure.templateRef.name);
  if (template === undefined) return undefined;
  const base = template.metadata.name.replace(/-v\d+$/, '');
  const used = templates.filter(({ metadata }) => metadata.name.startsWith(`${base}-v`));
  const name = `${base}-v${used.length + 1}`;
  const { spec } = template;
  await user.create({
    ...template,
    metadata: { name },
    spec: { template: { ...spec.template, spec: { ...spec.template.spec, instanceType } } },
  } as AWSMachineTemplate);
  const machineDeployments = (from.spec.workers?.machineDeployments ?? []).map((group) => ({
    ...group,
    infrastructure: { ...group.infrastructure, templateRef: { ...group.infrastructure.templateRef, name } },
  }));
  const { status: _, ...rest } = from as ClusterClass & { status?: unknown };
  const workers = { ...from.spec.workers, machineDeployments };
  await user.create({ ...rest, metadata: { name }, spec: { ...from.spec, workers } } as ClusterClass);
  return name;
};

export const TOPOLOGIES: Readonly<Record<string, Change>> = {
  scale: ofTopology(async (cluster, place, dice) => {
    const replicas = dice.roll(4);
    const name = await changeGroup(place, cluster, dice, (group) => ({ ...group, replicas }));
    return name && `wants ${replicas} machines in group ${name}`;
  }),
  addGroup: ofTopology(async (cluster, place, { one }) => {
    const groups = groupsOf(cluster);
    const name = NAMES.find((free) => groups.every((group) => group.name !== free));
    if (name === undefined) return undefined;
    await patchGroups(place, [...groups, { class: one([CLASS, OTHER_CLASS]), name, replicas: 1 }]);
    return `adds group ${name}`;
  }),
  removeGroup: ofTopology(async (cluster, place, { one }) => {
    const groups = groupsOf(cluster);
    const gone = one(groups);
    if (gone === undefined) return undefined;
    await patchGroups(
      place,
      groups.filter((group) => group !== gone),
    );
    return `removes group ${gone.name}`;
  }),
  changeVariable: ofTopology(async ({ spec }, place, { one }) => {
    const value = one(TYPES);
    await patch(place, { variables: withVariable(spec.topology?.variables, value) });
    return `wants workers of type ${value}`;
  }),
  changeControlPlane: ofTopology(async ({ spec }, place, { one }) => {
    const value = one(TYPES);
    await patch(place, { variables: withVariable(spec.topology?.variables, value, 'controlPlaneInstanceType') });
    return `wants a control plane of type ${value}`;
  }),
  override: ofTopology(async (cluster, place, dice) => {
    const value = dice.one(TYPES);
    const name = await changeGroup(place, cluster, dice, (group) => ({
      ...group,
      variables: { overrides: withVariable(group.variables?.overrides, value) },
    }));
    return name && `wants machines of type ${value} in group ${name}`;
  }),
  label: ofTopology(async (cluster, place, dice) => {
    const labels = { tier: dice.one(['a', 'b', 'c']) };
    const name = await changeGroup(place, cluster, dice, (group) => ({ ...group, metadata: { labels } }));
    return name && `gives group ${name} the label ${labels.tier}`;
  }),
  labelControlPlane: ofTopology(async (_, place, { one }) => {
    const labels = { tier: one(['a', 'b', 'c']) };
    await patch(place, { controlPlane: { metadata: { labels } } });
    return `gives the control plane the label ${labels.tier}`;
  }),
  upgrade: ofTopology(async ({ spec }, place) => {
    if (spec.topology?.version === NEXT_VERSION) return undefined;
    await patch(place, { version: NEXT_VERSION });
    return `wants version ${NEXT_VERSION}`;
  }),
  deferGroup: ofTopology(async (cluster, place, dice) => {
    const name = await changeGroup(place, cluster, dice, ({ metadata, ...group }) => {
      const { [DEFER]: deferred, ...others } = metadata?.annotations ?? {};
      const annotations = deferred === undefined ? { ...others, [DEFER]: '' } : others;
      return { ...group, metadata: { ...metadata, annotations } };
    });
    return name && `defers the upgrade of group ${name}, or no longer does`;
  }),
  changeClass: async (place, { one }) => {
    const [found] = await live<ClusterClass>(place, 'ClusterClass');
    if (found === undefined) return undefined;
    const value = one(TYPES);
    const variables = (found.spec.variables ?? []).map((variable) =>
      variable.name === WORKER_TYPE
        ? { ...variable, schema: { openAPIV3Schema: { ...variable.schema.openAPIV3Schema, default: value } } }
        : variable,
    );
    await place.user.patch('ClusterClass', found.metadata.name, { spec: { variables } });
    return `changes the default of a variable to ${value}`;
  },
  rebase: ofTopology(async ({ spec }, place, { one }) => {
    const classes = await live<ClusterClass>(place, 'ClusterClass');
    const from = classes.find(({ metadata }) => metadata.name === spec.topology?.classRef.name);
    const name = from && (await copyClass(place, from, one(TYPES) ?? ''));
    if (name === undefined) return undefined;
    await patch(place, { classRef: { name } });
    return `wants the cluster of class ${name}`;
  }),
  editDeployment: async (place, { one, roll }) => {
    const found = one(await managedDeployments(place));
    if (found === undefined) return undefined;
    const replicas = roll(4);
    const labels = { tier: 'edited' };
    await place.user.patch('MachineDeployment', found.metadata.name, { metadata: { labels }, spec: { replicas } });
    return `edits MachineDeployment ${found.metadata.name}, which wants ${replicas} machines then`;
  },
  deleteDeployment: async (place, { one }) => {
    const found = one(await managedDeployments(place));
    if (found === undefined) return undefined;
    await place.user.remove('MachineDeployment', found.metadata.name);
    return `deletes MachineDeployment ${found.metadata.name}`;
  },
  deleteCheck: async (place, { one }) => {
    const found = one(await live(place, 'MachineHealthCheck'));
    if (found === undefined) return undefined;
    await place.user.remove('MachineHealthCheck', found.metadata.name);
    return `deletes MachineHealthCheck ${found.metadata.name}`;
  },
  pauseControlPlane: async (place) => {
    const found = await named(place.user, 'KubeadmControlPlane', CONTROL_PLANE);
    return found && toggle(place, found, 'cluster.x-k8s.io/paused');
  },
};
