/** The resources that upstream's managers need in a management cluster: CustomResourceDefinitions and webhooks. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { folderOfModule } from '../go-module.ts';
import type { Definition } from './definitions.ts';

/**
 * The same version as in test/conformance/conditions/program/go.mod, with which the managers are built. A test compares
 * the two.
 */
export const VERSION = 'v1.14.2';

const CORE = `sigs.k8s.io/cluster-api@${VERSION}`;
const DEV = `sigs.k8s.io/cluster-api/test@${VERSION}`;

/**
 * The managers that are upstream's own commands, by the name of the program, with the folders of their configurations.
 */
export const MANAGERS = {
  core: 'core/config',
  bootstrap: 'bootstrap/kubeadm/config',
  'control-plane': 'controlplane/kubeadm/config',
} as const;

export type ManagerName = keyof typeof MANAGERS;

const definitionsIn = (place: string): Definition[] =>
  globSync('crd/bases/*.yaml', { cwd: place }).map(
    (file) => parse(readFileSync(join(place, file), 'utf8')) as Definition,
  );

/** The CustomResourceDefinitions of a manager's own kinds. */
export const readDefinitionsOf = (manager: ManagerName): Definition[] =>
  definitionsIn(join(folderOfModule(CORE), MANAGERS[manager]));

/** The CustomResourceDefinitions of the infrastructure in memory. */
export const readDevDefinitions = (): Definition[] =>
  definitionsIn(join(folderOfModule(DEV), 'infrastructure/docker/config'));

export interface WebhookConfiguration {
  kind: 'MutatingWebhookConfiguration' | 'ValidatingWebhookConfiguration';
  metadata: { name: string };
  webhooks: { name: string; clientConfig: { service?: { path: string }; url?: string; caBundle?: string } }[];
}

/** The webhooks of a manager, with the base URL `base` and a certificate signed by `ca`. */
export const readWebhooks = (manager: ManagerName, base: string, ca: string): WebhookConfiguration[] => {
  const file = join(folderOfModule(CORE), MANAGERS[manager], 'webhook/manifests.yaml');
  const documents = readFileSync(file, 'utf8').split(/^---$/m);
  const configurations = documents
    .map((text) => parse(text) as WebhookConfiguration | null)
    .filter((one) => one !== null);
  return configurations.map((one) => ({
    ...one,
    metadata: { ...one.metadata, name: `${manager}-${one.metadata.name}` },
    webhooks: one.webhooks.map((webhook) => ({
      ...webhook,
      clientConfig: {
        url: `${base}${webhook.clientConfig.service?.path ?? ''}`,
        caBundle: Buffer.from(ca).toString('base64'),
      },
    })),
  }));
};
