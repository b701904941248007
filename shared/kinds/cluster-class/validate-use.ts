import { forbiddenField } from '../../kube-api/field-error.ts';
import { quote } from '../../kube-api/quote.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import type { Cluster, Topology } from '../cluster/schema.ts';
import type { ClusterClassSpec } from './schema.ts';

/** A cluster of the class. */
export type ClassUser = Pick<Cluster, 'metadata'> & { topology: Topology };

type Check = { checks?: unknown; remediation?: unknown; enabled?: boolean | undefined } | undefined;

const isDefined = (check: Check): boolean => check?.checks !== undefined || check?.remediation !== undefined;

/** A cluster relies on the check of the class if it enables it without its own. */
const relies = (check: Check): boolean => check?.enabled === true && !isDefined(check);

const droppedCheck = (field: string, users: readonly ClassUser[]): FieldError[] => {
  const names = quote(users.map(({ metadata }) => metadata.name).join(','));
  return users.length === 0
    ? []
    : [forbiddenField(field, `healthCheck cannot be deleted because it is used by Cluster(s) ${names}`)];
};

const validateChecks = (next: ClusterClassSpec, old: ClusterClassSpec, users: readonly ClassUser[]): FieldError[] => {
  const isDropped = (was: Check, is: Check): boolean => isDefined(was) && !isDefined(is);
  const ofControlPlane = isDropped(old.controlPlane.healthCheck, next.controlPlane.healthCheck)
    ? users.filter(({ topology }) => relies(topology.controlPlane?.healthCheck))
    : [];
  const ofWorkers = (next.workers?.machineDeployments ?? []).flatMap((worker) => {
    const before = old.workers?.machineDeployments?.find((it) => it.class === worker.class);
    if (!isDropped(before?.healthCheck, worker.healthCheck)) return [];
    const using = users.filter(({ topology }) =>
      topology.workers?.machineDeployments?.some((it) => it.class === worker.class && relies(it.healthCheck)),
    );
    return droppedCheck(`spec.workers.machineDeployments[${worker.class}].healthCheck`, using);
  });
  return [...droppedCheck('spec.controlPlane.healthCheck', ofControlPlane), ...ofWorkers];
};

const validateVersions = ({ kubernetesVersions = [] }: ClusterClassSpec, users: readonly ClassUser[]): FieldError[] =>
  users
    .filter(({ topology }) => kubernetesVersions.length > 0 && !kubernetesVersions.includes(topology.version))
    .map(({ metadata, topology }) => {
      const why = `Kubernetes Version ${topology.version} is used by Cluster ${quote(metadata.name)} but not set in ClusterClass`;
      return forbiddenField('spec.kubernetesVersions', why);
    });

/** Refuses the removal of classes of workers while clusters have workers of them. */
const validateRemoved = (
  of: 'machineDeployments' | 'machinePools',
  next: ClusterClassSpec,
  old: ClusterClassSpec,
  users: readonly ClassUser[],
): FieldError[] => {
  const known = new Set((next.workers?.[of] ?? []).map((worker) => worker.class));
  const removed = (old.workers?.[of] ?? []).map((worker) => worker.class).filter((name) => !known.has(name));
  const kind = of === 'machinePools' ? 'MachinePoolClass' : 'MachineDeploymentClass';
  return users.flatMap(({ metadata, topology }) =>
    (topology.workers?.[of] ?? [])
      .filter((group) => removed.includes(group.class))
      .map((group) => {
        const why = `${kind} ${quote(group.class)} cannot be deleted because it is used by Cluster ${quote(metadata.name)}`;
        return forbiddenField(`spec.workers.${of}`, why);
      }),
  );
};

/** What must not change in a class while clusters use it (core/webhooks/admission/clusterclass.go). */
export const validateUse = (
  next: ClusterClassSpec,
  old: ClusterClassSpec,
  users: readonly ClassUser[],
): FieldError[] => [
  ...validateVersions(next, users),
  ...validateRemoved('machineDeployments', next, old, users),
  ...validateRemoved('machinePools', next, old, users),
  ...validateChecks(next, old, users),
];

const SHOWN = 3;

/** Why a class cannot be deleted; undefined if no cluster uses it. */
export const faultOfDeletion = (users: readonly ClassUser[]): string | undefined => {
  if (users.length === 0) return undefined;
  const names = users.map(({ metadata: { namespace = '', name } }) => `${namespace}/${name}`);
  const more = names.length > SHOWN ? `, ... (${names.length - SHOWN} more)` : '';
  return `ClusterClass cannot be deleted because it is used by Cluster(s): ${names.slice(0, SHOWN).join(', ')}${more}`;
};
