import { isObject } from '../../../kube-api/json.ts';
import { controlPlanePaths } from '../desired/control-plane.ts';
import type { DesiredObjects } from '../desired/objects.ts';
import type { AnyObject, Blueprint } from '../objects.ts';
import { valueAt, withValue } from '../path.ts';
import { applyReferenced, applyTemplate, type Facts } from './apply.ts';
import type { ApplyObject } from './model.ts';

/** The control plane with a reference to its template under the template's new name. */
const referring = (controlPlane: AnyObject, { metadata: { name } }: AnyObject, { contract }: Blueprint): AnyObject => {
  const path = controlPlanePaths(contract).infrastructureRef;
  const ref = valueAt(controlPlane, path);
  return isObject(ref)
    ? (withValue({ ...controlPlane }, path, { ...ref, name }) as unknown as AnyObject)
    : controlPlane;
};

const versionChange = (current: AnyObject | undefined, desired: AnyObject): string => {
  const [from, to] = [current, desired].map((object) => valueAt(object, ['spec', 'version']));
  return from !== undefined && to !== undefined && from !== to
    ? ` with version change from ${String(from)} to ${String(to)}`
    : '';
};

/**
 * The template of the control plane's machines, followed by the control plane. Nothing while an upgrade is awaited, so
 * that its machines are rolled out only once (reconcileControlPlane).
 */
export const controlPlaneOperations = (
  facts: Facts,
  blueprint: Blueprint,
  { machineInfrastructure, controlPlane: wanted }: DesiredObjects,
  isPending: boolean,
): { template: ApplyObject[]; object: ApplyObject[] } => {
  if (isPending) return { template: [], object: [] };
  const { live } = facts;
  const rotated =
    machineInfrastructure && applyTemplate(facts, machineInfrastructure, `${live.cluster.metadata.name}-`);
  const desired = rotated ? referring(wanted, rotated.template, blueprint) : wanted;
  const operation = applyReferenced(facts, live.controlPlane, desired, versionChange(live.controlPlane, desired));
  return {
    template: rotated?.operation ? [rotated.operation] : [],
    object: operation ? [operation] : [],
  };
};
