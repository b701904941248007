import type { Machine } from '../../../shared/kinds/index.ts';
import { labelValueOf } from '../../../shared/kinds/rules/names.ts';
import { isControlPlaneMachine, LABEL } from '../../../shared/plan/labels.ts';
import { factsOf } from './facts.ts';
import type { ClusterSnapshot } from './snapshot.ts';

/** The desired and the existing machines of an owner. */
export interface Replicas {
  kind: string;
  name: string;
  wanted: number;
  running: number;
}

const isRunning = ({ status }: Machine): boolean => status?.phase === 'Running';

/** The control plane, the deployments and the pools of a cluster, with the numbers of their machines. */
export const replicasOf = ({ controlPlane, deployments, pools, machines }: ClusterSnapshot): Replicas[] => {
  const running = machines.filter(isRunning);
  const labelled = (label: string, name: string) =>
    running.filter(({ metadata }) => metadata.labels?.[label] === name).length;
  return [
    ...(controlPlane ? [controlPlane] : []).map(({ kind, metadata, spec }) => ({
      kind,
      name: metadata.name,
      wanted: spec.replicas ?? 1,
      running: running.filter(isControlPlaneMachine).length,
    })),
    ...deployments.map(({ metadata, spec }) => ({
      kind: 'MachineDeployment',
      name: metadata.name,
      wanted: spec.replicas ?? 1,
      running: labelled(LABEL.deploymentName, metadata.name),
    })),
    ...pools.map(({ metadata, spec }) => ({
      kind: 'MachinePool',
      name: metadata.name,
      wanted: spec.replicas ?? 1,
      running: labelled(LABEL.poolName, labelValueOf(metadata.name)),
    })),
  ];
};

/**
 * The message about nodes on the Cluster for which a cluster was created; undefined if there is none, or if all nodes
 * run.
 */
const whyNotProvisioned = ({ ofRancher, rancher }: ClusterSnapshot): string | undefined => {
  const { generation } = rancher?.metadata ?? {};
  const found = rancher?.status?.conditions?.find(({ type }) => type === 'Provisioned');
  if (!ofRancher || (found?.status === 'True' && found.observedGeneration === generation)) return undefined;
  return found?.message || found?.reason || 'not looked at yet';
};

/** Whether the cluster is Available and has exactly the desired machines, all running. */
export const isComplete = (snapshot: ClusterSnapshot): boolean => {
  const replicas = replicasOf(snapshot);
  const wanted = replicas.reduce((sum, one) => sum + one.wanted, 0);
  return (
    factsOf(snapshot).some(({ key, done }) => key === 'cluster' && done) &&
    whyNotProvisioned(snapshot) === undefined &&
    replicas.every((one) => one.running === one.wanted) &&
    snapshot.machines.length === wanted
  );
};

/** What is missing according to the conditions, one line each; empty when the cluster is complete. */
export const reasonsOf = (snapshot: ClusterSnapshot): string[] => {
  if (isComplete(snapshot)) return [];
  const why = whyNotProvisioned(snapshot);
  const words = why === undefined ? [] : [`Cluster ${snapshot.name} is not Provisioned: ${why}`];
  if (snapshot.cluster === undefined) return words.length > 0 ? words : [`Cluster ${snapshot.name} does not exist`];
  const short = replicasOf(snapshot).filter(({ running, wanted }) => running !== wanted);
  return [
    ...words,
    ...factsOf(snapshot)
      .filter(({ done }) => !done)
      .map(({ subject, step, state, why }) =>
        [[subject, step].filter(Boolean).join(', '), state, why].filter(Boolean).join(': '),
      ),
    ...short.map(({ kind, name, running, wanted }) => `${kind} ${name}: ${running} of ${wanted} machines are Running`),
  ];
};

/** The progress of a cluster, from 0 to 1: its steps count once, and each desired machine twice. */
export const shareOf = (snapshot: ClusterSnapshot): number => {
  if (isComplete(snapshot)) return 1;
  const facts = factsOf(snapshot);
  const machines = facts.filter(({ key }) => key.startsWith('machine/'));
  const wanted = replicasOf(snapshot).reduce((sum, one) => sum + one.wanted, 0);
  const steps = facts.length - machines.length;
  const total = steps + 2 * Math.max(wanted, machines.length);
  const reached = facts.reduce((sum, { key, share }) => sum + (key.startsWith('machine/') ? 2 : 1) * share, 0);
  // Objects that have not appeared yet must not make a cluster look complete.
  return Math.min(reached / Math.max(total, 1), 0.99);
};
