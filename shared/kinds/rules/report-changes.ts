import { invalidValue } from '../../kube-api/field-error.ts';
import type { KubeObject } from '../../kube-api/object.ts';
import type { FieldError } from '../../kube-api/resource.ts';

/** On a Cluster: which changes its API servers report, so that a pass starts within seconds. */
export const REPORT_CHANGES = 'windlass.dev/report-changes';

type Annotated = Pick<KubeObject, 'metadata'>;

const REPORTED = ['Services', 'Nodes'] as const;

/** A kind of object in a created cluster, by the plural that users know. */
export type Reported = (typeof REPORTED)[number];

const namesIn = (value: string): string[] => value.split(',').map((name) => name.trim());

/** What the API servers of a cluster report; empty without the annotation. */
export const reportedBy = ({ metadata }: Annotated): readonly Reported[] => {
  const names = namesIn(metadata.annotations?.[REPORT_CHANGES] ?? '');
  return REPORTED.filter((one) => names.includes(one));
};

const isValid = (value: string): boolean => {
  const names = namesIn(value);
  return new Set(names).size === names.length && names.every((name) => REPORTED.some((one) => one === name));
};

/** The rule for the annotation. */
export const validateReportChanges = ({ metadata }: Annotated): FieldError[] => {
  const value = metadata.annotations?.[REPORT_CHANGES];
  if (value === undefined || isValid(value)) return [];
  const detail = 'must be Services, Nodes, or both with a comma between them';
  return [invalidValue(`metadata.annotations[${REPORT_CHANGES}]`, value, detail)];
};

/** The Secret with the token of a cluster's reports, under `value`. */
export const reportsSecretName = (clusterName: string): string => `${clusterName}-report-changes`;
