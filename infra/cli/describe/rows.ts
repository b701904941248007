import type { Machine, MachineDeployment, MachinePool, MachineSet } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { isControlPlaneMachine, LABEL } from '../../../shared/plan/labels.ts';
import { type AnyCondition, conditionsOf, driftsOf, isGood, isTrue } from './conditions.ts';
import type { ClusterObjects } from './objects.ts';

/** One object of the tree. Texts are empty if there is nothing to show. */
export interface Row {
  /** `Machine demo-md-0-x7k2p`. */
  object: string;
  state: string;
  isGood: boolean;
  version: string;
  zone: string;
  /** The id of the instance. */
  instance: string;
  node: string;
  /** When the object was created: RFC 3339. */
  created: string;
  conditions: readonly AnyCondition[];
  children: readonly Row[];
}

const nameOf = ({ kind, metadata }: KubeObject): string => `${kind} ${metadata.name}`;

const rowOf = (object: KubeObject, facts: Partial<Row>): Row => ({
  object: nameOf(object),
  state: '',
  isGood: true,
  version: '',
  zone: '',
  instance: '',
  node: '',
  created: object.metadata.creationTimestamp ?? '',
  conditions: conditionsOf(object),
  children: [],
  ...facts,
});

const stateOf = (object: KubeObject, type: string): Pick<Row, 'state' | 'isGood'> => {
  if (object.metadata.deletionTimestamp) return { state: 'Deleting', isGood: false };
  const good = isTrue(object, type);
  return { state: good ? type : `not ${type}`, isGood: good };
};

const infrastructureRow = (object: KubeObject): Row => rowOf(object, stateOf(object, 'Ready'));

/** The worst problem of a machine that runs. */
const flawOf = (machine: Machine): string => {
  const types = conditionsOf(machine).flatMap((one) => (isGood(one) ? [] : [one.type]));
  if (types.includes('Ready')) return 'not Ready';
  if (driftsOf(machine).length > 0) return 'drifted';
  const flaw = FLAWS.find(([type]) => types.includes(type));
  if (flaw) return flaw[1];
  return isTrue(machine, 'Ready') ? `not ${types[0]}` : 'not Ready';
};

const FLAWS: readonly (readonly [type: string, flaw: string])[] = [
  ['windlass.dev/InstanceAtRisk', 'at risk'],
  ['Paused', 'paused'],
  ['UpToDate', 'not up to date'],
];

const machineRow = (machine: Machine, instance: KubeObject | undefined): Row => {
  const { spec, status, metadata } = machine;
  const phase = metadata.deletionTimestamp ? 'Deleting' : (status?.phase ?? 'Pending');
  const bad = conditionsOf(machine).filter((one) => !isGood(one));
  const isWell = phase === 'Running' && bad.length === 0;
  return rowOf(machine, {
    state: phase === 'Running' && !isWell ? `Running, ${flawOf(machine)}` : phase,
    isGood: isWell,
    version: spec.version ?? '',
    zone: status?.failureDomain ?? spec.failureDomain ?? '',
    instance: spec.providerID?.split('/').at(-1) ?? '',
    node: status?.nodeRef?.name ?? '',
    children: instance ? [infrastructureRow(instance)] : [],
  });
};

const counted = (machines: readonly Machine[], wanted: number): Pick<Row, 'state' | 'isGood'> => {
  const running = machines.filter(({ status }) => status?.phase === 'Running').length;
  return { state: `${running} of ${wanted} running`, isGood: running === wanted && machines.length === wanted };
};

const isOwnedBy = (owner: KubeObject) => (object: KubeObject) =>
  object.metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) ?? false;

const versionOf = (owner: MachineDeployment | MachinePool | MachineSet): string =>
  owner.spec.template.spec.version ?? '';

/** The tree of a cluster: infrastructure, control plane with its machines, deployments with their sets and machines, pools. */
export const treeOf = (objects: ClusterObjects): Row => {
  const { cluster, infrastructure, controlPlane, deployments, sets, pools, machines, instances } = objects;
  const rowsOf = (some: readonly Machine[]): Row[] =>
    some.map((machine) => machineRow(machine, instances.get(machine.metadata.name)));

  const setRow = (set: MachineSet): Row => {
    const own = machines.filter(isOwnedBy(set));
    return rowOf(set, { ...counted(own, set.spec.replicas ?? 0), version: versionOf(set), children: rowsOf(own) });
  };
  const deploymentRow = (deployment: MachineDeployment): Row => {
    const own = sets.filter(isOwnedBy(deployment));
    const used = own.filter((set) => set.spec.replicas !== 0 || machines.some(isOwnedBy(set)));
    const all = machines.filter(({ metadata }) => metadata.labels?.[LABEL.deploymentName] === deployment.metadata.name);
    return rowOf(deployment, {
      ...counted(all, deployment.spec.replicas ?? 0),
      version: versionOf(deployment),
      children: used.map(setRow),
    });
  };
  const poolRow = (pool: MachinePool): Row => {
    const own = machines.filter(isOwnedBy(pool));
    return rowOf(pool, { ...counted(own, pool.spec.replicas ?? 0), version: versionOf(pool), children: rowsOf(own) });
  };
  const controlPlaneMachines = machines.filter(isControlPlaneMachine);
  const owned = new Set([...sets, ...pools].flatMap((owner) => machines.filter(isOwnedBy(owner))));
  const others = machines.filter((machine) => !isControlPlaneMachine(machine) && !owned.has(machine));
  const standalone = sets.filter((set) => !deployments.some((deployment) => isOwnedBy(deployment)(set)));

  return rowOf(cluster, {
    ...stateOf(cluster, 'Available'),
    children: [
      ...(infrastructure ? [infrastructureRow(infrastructure)] : []),
      ...(controlPlane
        ? [
            rowOf(controlPlane, {
              ...counted(controlPlaneMachines, controlPlane.spec.replicas ?? 1),
              version: controlPlane.spec.version,
              children: rowsOf(controlPlaneMachines),
            }),
          ]
        : rowsOf(controlPlaneMachines)),
      ...deployments.map(deploymentRow),
      ...standalone.map(setRow),
      ...pools.map(poolRow),
      ...rowsOf(others),
    ],
  });
};
