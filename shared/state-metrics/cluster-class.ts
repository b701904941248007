import type { ClusterClass } from '../kinds/cluster-class/schema.ts';
import { type ClusterResourceSet, kinds } from '../kinds/index.ts';
import { info, type StateMetrics } from './family.ts';
import { conditions, created, owners, paused } from './recurring-families.ts';

const NOUN = 'clusterclass';

export const clusterClassMetrics: StateMetrics<ClusterClass> = {
  resource: kinds.clusterClass,
  prefix: 'capi_clusterclass',
  labels: () => ({}),
  families: [
    paused(NOUN),
    created(NOUN),
    info('info', 'The name of a clusterclass.', ({ metadata: { name } }) => ({ name })),
    owners(NOUN),
    ...conditions<ClusterClass>(NOUN),
  ],
};

export const clusterResourceSetMetrics: StateMetrics<ClusterResourceSet> = {
  resource: kinds.clusterResourceSet,
  prefix: 'capi_clusterresourceset',
  labels: () => ({}),
  families: conditions('clusterresourceset'),
};
