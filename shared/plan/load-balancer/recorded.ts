import type { AWSCluster } from '../../kinds/index.ts';

/** The names of the target groups that the status speaks of, for finding them again when the spec has changed. */
export const recordedTargetGroupNames = (awsCluster: AWSCluster | undefined): string[] =>
  (awsCluster?.status?.networkStatus?.apiServerElb?.elbListeners ?? []).flatMap(({ targetGroup }) => targetGroup.name);
