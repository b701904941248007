import type { JsonObject } from '../../../kube-api/json.ts';
import type { KubeObject } from '../../../kube-api/object.ts';
import type { Variables } from './variable-path.ts';

/** The object that uses a template, with which a patch selects the template. */
export interface Holder {
  kind: string;
  fieldPath: string;
}

/** A template that patches may change. */
export interface PatchItem {
  object: JsonObject;
  holder: Holder;
  /** The object itself, for extensions. */
  holderObject?: KubeObject;
  /** Variables of this template only: overrides, and built-in ones of its control plane or workers. */
  variables: Variables;
}

export const CLUSTER_INFRASTRUCTURE: Holder = { kind: 'Cluster', fieldPath: 'spec.infrastructureRef' };
export const CLUSTER_CONTROL_PLANE: Holder = { kind: 'Cluster', fieldPath: 'spec.controlPlaneRef' };

/** The path of the reference to the template for control plane machines in the contract v1beta2. */
export const MACHINE_INFRASTRUCTURE = 'spec.machineTemplate.spec.infrastructureRef';
/** The same, in the contract v1beta1. */
export const MACHINE_INFRASTRUCTURE_V1BETA1 = 'spec.machineTemplate.infrastructureRef';

export const WORKER_BOOTSTRAP = 'spec.template.spec.bootstrap.configRef';
export const WORKER_INFRASTRUCTURE = 'spec.template.spec.infrastructureRef';
