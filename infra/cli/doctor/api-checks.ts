import type { Cluster } from '../../../shared/kinds/index.ts';
import { GROUP } from '../../../shared/plan/labels.ts';
import type { Installation } from '../api/kubeconfig-client.ts';
import { listAll } from '../api/resources.ts';
import { isTrue } from '../describe/conditions.ts';
import type { Check } from './check.ts';

interface Review {
  status: { userInfo: { username: string; groups?: string[] } };
}

interface AccessReview {
  status: { allowed: boolean; reason?: string };
}

const VERSION = 'v1beta2';

/** Checks of the Kubernetes API, its caller and the clusters. */
export const apiChecks = ({ api, server, namespace }: Installation): Check[] => [
  {
    name: 'Kubernetes API',
    look: async () => {
      const { gitVersion } = await api.send<{ gitVersion: string }>('GET', '/version');
      return { status: 'ok', detail: `${server} answers as Kubernetes ${gitVersion}` };
    },
  },
  {
    name: 'Identity',
    look: async () => {
      const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
      const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
      const { userInfo } = (await api.send<Review>('POST', path, review)).status;
      return { status: 'ok', detail: `${userInfo.username}, groups ${(userInfo.groups ?? []).join(', ')}` };
    },
  },
  {
    name: 'Permissions',
    look: async () => {
      const resourceAttributes = { group: GROUP.core, resource: 'clusters', verb: 'create', namespace };
      const review = {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes },
      };
      const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
      const { allowed } = (await api.send<AccessReview>('POST', path, review)).status;
      const detail = `clusters ${allowed ? 'may' : 'may not'} be created in namespace ${namespace}`;
      return { status: allowed ? 'ok' : 'warning', detail };
    },
  },
  {
    name: 'Clusters',
    look: async () => {
      const items = await listAll<Cluster>(api, `/apis/${GROUP.core}/${VERSION}/clusters`);
      const bad = items.filter((cluster) => !isTrue(cluster, 'Available'));
      const names = bad.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).join(', ');
      return {
        status: bad.length === 0 ? 'ok' : 'warning',
        detail: `${items.length} in all, ${bad.length} not Available${names === '' ? '' : `: ${names}`}`,
      };
    },
  },
];
