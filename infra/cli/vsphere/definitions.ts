/**
 * The provider's definitions of kinds and its webhooks, adapted as a user must do it: with URLs instead of Services.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { folderOfModule } from '../conformance/go-module.ts';

/** The same as in infra/local/vsphere/provider/go.mod; a test compares them. */
export const PROVIDER = 'sigs.k8s.io/cluster-api-provider-vsphere@v1.12.0';
/**
 * The release of Cluster API that it uses, which defines kinds that the provider watches and Windlass does not have.
 */
export const CLUSTER_API = 'sigs.k8s.io/cluster-api@v1.9.1';

/** The server of the provider's webhooks. */
export interface WebhookServer {
  /** `https://host:port`. */
  url: string;
  /** The certificate authority of its certificate, as PEM. */
  ca: string;
}

interface ClientConfig {
  service?: { path?: string };
  url?: string;
  caBundle?: string;
}

interface Definition extends KubeObject {
  spec: { versions: { name: string; storage: boolean }[]; conversion?: object };
}

interface WebhookConfiguration extends KubeObject {
  webhooks: { clientConfig: ClientConfig }[];
}

const clientConfig = ({ url, ca }: WebhookServer, path: string): ClientConfig => ({
  url: `${url}${path}`,
  caBundle: Buffer.from(ca).toString('base64'),
});

/** Adds the label of the contract that the stored version fulfils: versions have the names of their contracts. */
const labelled = (definition: Definition): Definition => {
  const stored = definition.spec.versions.find(({ storage }) => storage)?.name ?? '';
  const labels = { ...definition.metadata.labels, [`cluster.x-k8s.io/${stored}`]: stored };
  return { ...definition, metadata: { ...definition.metadata, labels } };
};

const converting = (definition: Definition, server: WebhookServer): Definition => ({
  ...definition,
  spec: {
    ...definition.spec,
    conversion: {
      strategy: 'Webhook',
      webhook: { clientConfig: clientConfig(server, '/convert'), conversionReviewVersions: ['v1', 'v1beta1'] },
    },
  },
});

const called = (configuration: WebhookConfiguration, server: WebhookServer): WebhookConfiguration => ({
  ...configuration,
  metadata: { ...configuration.metadata, name: `vsphere-${configuration.metadata.name}` },
  webhooks: configuration.webhooks.map((webhook) => ({
    ...webhook,
    clientConfig: clientConfig(server, webhook.clientConfig.service?.path ?? ''),
  })),
});

const read = <T extends KubeObject>(folder: string, pattern: string): T[] =>
  globSync(pattern, { cwd: folder })
    .toSorted()
    .flatMap((file) => parseAllDocuments(readFileSync(join(folder, file), 'utf8')))
    .map((document) => document.toJS() as T)
    .filter((object) => object !== null);

/**
 * The definitions of the provider's kinds, and of those for addresses (`ipam.cluster.x-k8s.io`), which it watches.
 * Throws an Error with Go's message if a module can neither be found nor downloaded.
 */
export const readDefinitions = (server: WebhookServer): Definition[] => [
  ...read<Definition>(folderOfModule(PROVIDER), 'config/default/crd/bases/*.yaml').map((one) =>
    converting(labelled(one), server),
  ),
  ...read<Definition>(folderOfModule(CLUSTER_API), 'config/crd/bases/ipam.*.yaml').map(labelled),
];

/** The user to which the provider's role is bound. */
export const USER = 'vsphere-provider';

/** The permissions of the provider, as upstream lists them. Throws the errors of `readDefinitions`. */
export const readRights = (): KubeObject[] => {
  const [role] = read<KubeObject & { rules: object[] }>(folderOfModule(PROVIDER), 'config/rbac/role.yaml');
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: USER };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: USER }];
  const binding = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', metadata: { name: USER } };
  return role ? [{ ...role, metadata: { name: USER } }, { ...binding, roleRef, subjects } as KubeObject] : [];
};

/** The configurations of its admission webhooks. Throws the errors of `readDefinitions`. */
export const readWebhooks = (server: WebhookServer): WebhookConfiguration[] =>
  read<WebhookConfiguration>(folderOfModule(PROVIDER), 'config/govmomi/webhook/manifests.yaml').map((one) =>
    called(one, server),
  );
