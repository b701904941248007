import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { ANNOTATION } from '../../../shared/plan/labels.ts';

type ClusterSpec = { spec?: { paused?: boolean } } & KubeObject;

const isPaused = (cluster: KubeObject): boolean => (cluster as ClusterSpec).spec?.paused === true;

/** The Cluster as an adoption creates it: paused, and marked with what happens when everything else exists. */
export const beginning = (cluster: KubeObject): KubeObject => ({
  ...cluster,
  metadata: {
    ...cluster.metadata,
    annotations: {
      ...cluster.metadata.annotations,
      [ANNOTATION.adopting]: isPaused(cluster) ? 'StayPaused' : 'Unpause',
    },
  },
  ...{ spec: { ...(cluster as ClusterSpec).spec, paused: true } },
});

/** Whether the Cluster stays paused after its adoption, because its manifest says so. */
export const staysPaused = ({ metadata }: KubeObject): boolean =>
  metadata.annotations?.[ANNOTATION.adopting] === 'StayPaused';

/** The merge patch that ends an adoption. */
export const ending = (cluster: KubeObject): object => ({
  metadata: { annotations: { [ANNOTATION.adopting]: null } },
  ...(staysPaused(cluster) ? {} : { spec: { paused: null } }),
});

/** Throws unless an interrupted adoption has left this Cluster: any other may be managed here or elsewhere. */
export const requireInterrupted = (cluster: KubeObject): void => {
  const { name, annotations } = cluster.metadata;
  if (!isPaused(cluster)) throw new Error(`Cluster/${name} is there, and is not paused`);
  if (annotations?.[ANNOTATION.adopting] !== undefined) return;
  throw new Error(
    `Cluster/${name} is there, and not paused by an adoption: it may be managed elsewhere. If an earlier version began ` +
      `to adopt it, set its annotation ${ANNOTATION.adopting} to Unpause and run the command again`,
  );
};
