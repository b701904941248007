import type { Clock } from '../../../shared/clock.ts';
import { contractLabels } from '../../../shared/kinds/contract-labels.ts';
import { createCatalog } from '../../../shared/kube-api/custom/catalog.ts';
import type { ConversionPorts } from '../../../shared/kube-api/custom/conversion/convert.ts';
import { makeDefinitionRules } from '../../../shared/kube-api/custom/definition-rules.ts';
import { CUSTOM_DEFINITIONS } from '../../../shared/kube-api/custom/kind.ts';
import { withStoredVersions } from '../../../shared/kube-api/custom/stored-versions.ts';
import type { RegistryOptions } from '../../../shared/kube-api/registry/registry.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import type { LoadTexts } from '../../../shared/kube-api/schema/with-descriptions.ts';
import { servedDefinitions } from '../../../shared/kube-api/served-definitions.ts';
import { withFixedObjects } from '../../../shared/kube-api/storage/fixed-storage.ts';
import type { Storage } from '../../../shared/kube-api/storage/storage.ts';
import { clusterOfCustom } from '../../../shared/outside/kinds.ts';

type Rules = Pick<RegistryOptions, 'relatedRules' | 'checkDelete'>;

interface CustomKindsDependencies {
  /** The kinds that are part of the server. */
  kinds: readonly ResourceDefinition[];
  loadTexts: LoadTexts | undefined;
  storage: Storage;
  clock: Clock;
  /** Calls the webhooks that convert objects between versions. */
  callConversion?: ConversionPorts['call'];
  random: ConversionPorts['random'];
  /** Rules of the server's own kinds that depend on other objects. */
  rules: Rules;
}

/** Combines the rules; for each write, only one of the two has rules about other objects. */
const both = (rules: Rules, ofDefinitions: Rules): Rules => ({
  relatedRules: async (resource, object, old) =>
    (await ofDefinitions.relatedRules?.(resource, object, old)) ?? (await rules.relatedRules?.(resource, object, old)),
  checkDelete: async (resource, object) => {
    await ofDefinitions.checkDelete?.(resource, object);
    await rules.checkDelete?.(resource, object);
  },
});

/** The dependencies for serving the server's own kinds and those that CustomResourceDefinitions describe. */
export const serveCustomKinds = ({
  kinds,
  loadTexts,
  storage,
  clock,
  callConversion: call,
  random,
  rules,
}: CustomKindsDependencies) => {
  const catalog = createCatalog(storage, { clusterNameOf: clusterOfCustom, conversion: call && { call, random } });
  return {
    catalog,
    resources: [...kinds, CUSTOM_DEFINITIONS as ResourceDefinition],
    furtherResources: async () => (await catalog.current()).resources,
    storage: withFixedObjects(withStoredVersions(storage), [servedDefinitions(kinds, contractLabels, loadTexts)]),
    ...both(rules, makeDefinitionRules({ own: kinds, catalog, clock })),
  };
};

export type Served = ReturnType<typeof serveCustomKinds>;
