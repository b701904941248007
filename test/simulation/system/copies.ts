/** A user who copies objects under another name, with the references of the originals, and deletes the copies. */
import { type Cluster, KINDS, type Machine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { CLUSTER, type User } from './user.ts';

const COPY = 'copy';
const CLUSTER_LABEL = 'cluster.x-k8s.io/cluster-name';
const LOOK_MILLISECONDS = 10_000;

type Copied = (Cluster | Machine) & { status?: unknown };

/** Without what controllers have added, except for the label of the cluster. */
const copyOf = ({ status: _, kind, metadata, ...rest }: Copied): KubeObject => {
  const found = KINDS.find((one) => one.kind === kind);
  const cluster = metadata.labels?.[CLUSTER_LABEL];
  const labels: Record<string, string> = kind === 'Machine' && cluster ? { [CLUSTER_LABEL]: cluster } : {};
  return { ...rest, apiVersion: `${found?.group}/${found?.version}`, kind, metadata: { name: COPY, labels } };
};

export interface CopyOptions {
  user: User;
  wait(milliseconds: number): Promise<void>;
  /** For how long the copies exist: several passes see them. */
  milliseconds: number;
  worker: Machine | undefined;
}

/** Resolves when the copies are gone. */
export const copyAndDelete = async ({ user, wait, milliseconds, worker }: CopyOptions): Promise<void> => {
  const cluster = (await user.list<Cluster>('Cluster'))?.find(({ metadata }) => metadata.name === CLUSTER);
  const copies = [worker, cluster].filter((object) => object !== undefined).map(copyOf);
  for (const copy of copies) await user.create(copy);
  await wait(milliseconds);
  for (const { kind } of copies) {
    const isThere = async () => (await user.list(kind))?.some(({ metadata }) => metadata.name === COPY) !== false;
    // Deleted again where a restored table has it again; the deletion of the cluster may have removed it.
    while (await isThere()) {
      await user.remove(kind, COPY).catch((error: Error) => {
        if (!error.message.includes(': 404 ')) throw error;
      });
      await wait(LOOK_MILLISECONDS);
    }
  }
};
