/** Facts about Machines that several parts of a lifecycle need. */
import type { Machine } from '../../../shared/kinds/index.ts';
import { LABEL } from '../../../shared/plan/labels.ts';

export const isControlPlane = ({ metadata }: Machine): boolean => LABEL.controlPlane in (metadata.labels ?? {});

const creation = ({ metadata }: Machine): string => metadata.creationTimestamp ?? '';

/** The oldest first. */
export const byAge = (machines: readonly Machine[]): Machine[] =>
  machines.toSorted((a, b) => creation(a).localeCompare(creation(b)));
