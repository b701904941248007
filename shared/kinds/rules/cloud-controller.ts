import { invalidValue } from '../../kube-api/field-error.ts';
import type { KubeObject } from '../../kube-api/object.ts';
import type { FieldError } from '../../kube-api/resource.ts';

/** On a Cluster: which duties of a cloud controller manager, beside that for nodes, Windlass takes over. */
export const CLOUD_CONTROLLER = 'windlass.dev/cloud-controller';

type Annotated = Pick<KubeObject, 'metadata'>;

/** The only duty that is offered. */
const SERVICES = 'Services';

/** Whether Windlass makes load balancers for the Services of the cluster. */
export const balancesServices = ({ metadata }: Annotated): boolean =>
  metadata.annotations?.[CLOUD_CONTROLLER] === SERVICES;

const detailOf = (value: string): string => {
  const names = value.split(',').map((name) => name.trim());
  return names.includes('Routes')
    ? 'Routes are not offered: use a network plugin that needs no routes in the VPC, and set Services'
    : 'must be Services';
};

/** The rule for the annotation. */
export const validateCloudController = ({ metadata }: Annotated): FieldError[] => {
  const value = metadata.annotations?.[CLOUD_CONTROLLER];
  if (value === undefined || value === SERVICES) return [];
  return [invalidValue(`metadata.annotations[${CLOUD_CONTROLLER}]`, value, detailOf(value))];
};
