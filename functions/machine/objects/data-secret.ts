import type { BootstrapConfig } from '../../../shared/kinds/contract-objects.ts';
import type { Secret } from '../../../shared/kinds/index.ts';
import { LABEL } from '../../../shared/plan/labels.ts';
import { controllerReference } from '../../../shared/plan/machines/desired.ts';

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/**
 * The Secret with a configuration's bootstrap data, as Cluster API's contract defines it: `value` is what the machine
 * executes, and `format` is `cloud-config` or `ignition`.
 */
export const dataSecret = (config: BootstrapConfig, clusterName: string, body: string, format: string): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    namespace: config.metadata.namespace,
    name: config.metadata.name,
    labels: { [LABEL.clusterName]: clusterName },
    ownerReferences: [controllerReference(config)],
  },
  type: 'cluster.x-k8s.io/secret',
  data: { value: base64(body), format: base64(format) },
});
