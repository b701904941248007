import { invalidValue } from '../../kube-api/field-error.ts';
import type { KubeObject } from '../../kube-api/object.ts';
import type { FieldError } from '../../kube-api/resource.ts';

/** On a Cluster: which duties of a cloud controller manager, beside that for nodes, Windlass takes over. */
export const CLOUD_CONTROLLER = 'windlass.dev/cloud-controller';

type Annotated = Pick<KubeObject, 'metadata'>;

const DUTIES = ['Services', 'Routes'] as const;

type Duty = (typeof DUTIES)[number];

const namesIn = (value: string): string[] => value.split(',').map((name) => name.trim());

const hasDuty = ({ metadata }: Annotated, duty: Duty): boolean =>
  namesIn(metadata.annotations?.[CLOUD_CONTROLLER] ?? '').includes(duty);

/** Whether Windlass makes load balancers for the Services of the cluster. */
export const balancesServices = (cluster: Annotated): boolean => hasDuty(cluster, 'Services');

/** Whether Windlass makes routes to the pods of the cluster's nodes. */
export const routesPods = (cluster: Annotated): boolean => hasDuty(cluster, 'Routes');

const isValid = (value: string): boolean => {
  const names = namesIn(value);
  return new Set(names).size === names.length && names.every((name) => DUTIES.some((duty) => duty === name));
};

/** The rule for the annotation. */
export const validateCloudController = ({ metadata }: Annotated): FieldError[] => {
  const value = metadata.annotations?.[CLOUD_CONTROLLER];
  if (value === undefined || isValid(value)) return [];
  const detail = 'must be Services, Routes, or both with a comma between them';
  return [invalidValue(`metadata.annotations[${CLOUD_CONTROLLER}]`, value, detail)];
};
