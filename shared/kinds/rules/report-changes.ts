import type { FieldError } from '../../kube-api/resource.ts';
import { type Annotated, listedWords, validateWords } from './word-list.ts';

/** On a Cluster: the changes that its API servers report, so that a pass starts within seconds. */
export const REPORT_CHANGES = 'windlass.dev/report-changes';

const REPORTED = ['Services', 'Nodes'] as const;

/** A kind of object in a workload cluster, with the plural that users know. */
export type Reported = (typeof REPORTED)[number];

/** The kinds that the API servers of a cluster report; empty without the annotation. */
export const reportedBy = (cluster: Annotated): readonly Reported[] => listedWords(cluster, REPORT_CHANGES, REPORTED);

/** The rule for the annotation. */
export const validateReportChanges = (cluster: Annotated): FieldError[] => {
  const detail = 'must be Services, Nodes, or both with a comma between them';
  return validateWords(cluster, REPORT_CHANGES, { words: REPORTED, detail });
};

/** The Secret with the token of a cluster's reports, under `value`. */
export const reportsSecretName = (clusterName: string): string => `${clusterName}-report-changes`;
