import type { MachineDeployment } from '../../../kinds/machine-deployment/schema.ts';
import type { MachinePool } from '../../../kinds/machine-pool/schema.ts';
import type { DesiredWorkers } from '../desired/workers.ts';
import type { AnyObject } from '../objects.ts';
import type { WorkersProgress } from '../upgrade/versions.ts';
import { applyObject, applyTemplate, event, type Facts, placeOf, resourceOf } from './apply.ts';
import type { ApplyObject, DeleteObject } from './model.ts';

const any = (object: unknown): AnyObject => object as AnyObject;

/** The operations for a group of workers: first the objects that it refers to, then the group itself. */
export interface WorkersOperations {
  parts: ApplyObject[];
  objects: ApplyObject[];
}

const NOTHING: WorkersOperations = { parts: [], objects: [] };

const list = (operation: ApplyObject | undefined): ApplyObject[] => (operation ? [operation] : []);

interface Versioned {
  spec: { template?: { spec?: { version?: string | undefined } } };
}

const versionChange = (current: Versioned | undefined, desired: Versioned): string => {
  const [from, to] = [current, desired].map((object) => object?.spec.template?.spec?.version);
  return from && to && from !== to ? ` with version change from ${from} to ${to}` : '';
};

/** Whether nothing in the group is created or changed now, so that its machines are rolled out only once. */
const mustWait = (
  { topologyName, object }: DesiredWorkers<{ metadata: { name: string } }>,
  current: { object: { metadata: { deletionTimestamp?: string } } } | undefined,
  { pending, pendingCreate }: WorkersProgress,
): boolean =>
  current
    ? pending.has(object.metadata.name) || current.object.metadata.deletionTimestamp !== undefined
    : pendingCreate.has(topologyName);

/** A MachineDeployment with its templates (createMachineDeployment, updateMachineDeployment). */
export const deploymentOperations = (
  facts: Facts,
  workers: DesiredWorkers<MachineDeployment>,
  progress: WorkersProgress,
): WorkersOperations => {
  const { live } = facts;
  const current = live.machineDeployments.get(workers.topologyName);
  if (mustWait(workers, current, progress)) return NOTHING;
  const base = `${live.cluster.metadata.name}-${workers.topologyName}-`;
  const infrastructure = applyTemplate(facts, workers.infrastructure, base);
  const bootstrap = applyTemplate(facts, workers.bootstrap, base);
  const { object } = workers;
  const { spec } = object.spec.template;
  const configRef = { ...spec.bootstrap.configRef, name: bootstrap.template.metadata.name };
  const infrastructureRef = { ...spec.infrastructureRef, name: infrastructure.template.metadata.name };
  const template = {
    ...object.spec.template,
    spec: { ...spec, bootstrap: { ...spec.bootstrap, configRef }, infrastructureRef },
  };
  const desired = { ...object, spec: { ...object.spec, template } };
  return {
    parts: [...list(infrastructure.operation), ...list(bootstrap.operation)],
    objects: list(applyObject(facts, any(desired), { after: versionChange(current?.object, object) })),
  };
};

/**
 * A MachinePool with its bootstrap configuration and its infrastructure, which are changed in place and not replaced.
 */
export const poolOperations = (
  facts: Facts,
  workers: DesiredWorkers<MachinePool>,
  progress: WorkersProgress,
): WorkersOperations => {
  const current = facts.live.machinePools.get(workers.topologyName);
  if (mustWait(workers, current, progress)) return NOTHING;
  return {
    parts: [...list(applyObject(facts, workers.infrastructure)), ...list(applyObject(facts, workers.bootstrap))],
    objects: list(applyObject(facts, any(workers.object), { after: versionChange(current?.object, workers.object) })),
  };
};

/** Existing groups that the topology no longer names. */
export const deletedWorkers = (
  { kindOf }: Facts,
  current: ReadonlyMap<string, { object: MachineDeployment | MachinePool }>,
  desired: readonly DesiredWorkers<unknown>[],
): DeleteObject[] => {
  const wanted = new Set(desired.map(({ topologyName }) => topologyName));
  return [...current].flatMap(([name, { object }]): DeleteObject[] => {
    if (wanted.has(name) || object.metadata.deletionTimestamp) return [];
    const found = any(object);
    const message = `Deleted ${found.kind} ${placeOf(found)}`;
    return [
      { do: 'delete', resource: resourceOf(kindOf, found), object: found, event: event('TopologyDelete', message) },
    ];
  });
};
