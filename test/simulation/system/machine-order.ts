/** Facts about Machines that several parts of a lifecycle need. */
import type { Machine } from '../../../shared/kinds/index.ts';
import { LABEL } from '../../../shared/plan/labels.ts';
import { CLUSTER } from './user.ts';

export const isControlPlane = ({ metadata }: Machine): boolean => LABEL.controlPlane in (metadata.labels ?? {});

/** Excludes Machines of a copied cluster, and of another tenant's. */
export const isOfCluster = ({ metadata }: Machine): boolean => metadata.labels?.[LABEL.clusterName] === CLUSTER;

const creation = ({ metadata }: Machine): string => metadata.creationTimestamp ?? '';

/** Sorts Machines, oldest first. */
export const byAge = (machines: readonly Machine[]): Machine[] =>
  machines.toSorted((a, b) => creation(a).localeCompare(creation(b)));
