import type { FieldError } from '../../kube-api/resource.ts';
import { type Annotated, listedWords, validateWords } from './word-list.ts';

/** On a Cluster: the duties of a cloud controller manager that Windlass performs, in addition to that for nodes. */
export const CLOUD_CONTROLLER = 'windlass.dev/cloud-controller';

const DUTIES = ['Services', 'Routes'] as const;

type Duty = (typeof DUTIES)[number];

const hasDuty = (cluster: Annotated, duty: Duty): boolean =>
  listedWords(cluster, CLOUD_CONTROLLER, DUTIES).includes(duty);

/** Whether Windlass creates load balancers for the Services of the cluster. */
export const balancesServices = (cluster: Annotated): boolean => hasDuty(cluster, 'Services');

/** Whether Windlass creates routes to the pods on the cluster's nodes. */
export const routesPods = (cluster: Annotated): boolean => hasDuty(cluster, 'Routes');

/** The rule for the annotation. */
export const validateCloudController = (cluster: Annotated): FieldError[] => {
  const detail = 'must be Services, Routes, or both with a comma between them';
  return validateWords(cluster, CLOUD_CONTROLLER, { words: DUTIES, detail });
};
