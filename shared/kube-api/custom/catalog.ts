import type { ResourceDefinition } from '../resource.ts';
import type { Storage } from '../storage/storage.ts';
import { type CustomDefinition, isEstablished } from './definition.ts';
import { CUSTOM_DEFINITIONS } from './kind.ts';
import { type OfCustomKinds, resourcesOf } from './resource-of.ts';

/**
 * What is served because of CustomResourceDefinitions, at one version of their list. It is the same value as long as
 * that version is current.
 */
export interface Served {
  /** All definitions, served or not, by name in order. */
  definitions: readonly CustomDefinition[];
  /** The kinds that they make the server serve, in all versions. */
  resources: readonly ResourceDefinition[];
}

/** Returns what is served now. This costs one small read if nothing has changed, and a list otherwise. */
export interface Catalog {
  current(): Promise<Served>;
}

const NOTHING_SERVED: Served = { definitions: [], resources: [] };

interface Known {
  version: string;
  served: Served;
}

const identityOf = ({ metadata: { uid, resourceVersion } }: CustomDefinition): string => `${uid}/${resourceVersion}`;

/** The names in a group with which URLs and objects refer to a kind. */
const namesOf = ({ spec: { group, names } }: CustomDefinition): string[] => [
  `${group}/${names.plural}`,
  `${group}/${names.kind}`,
];

/**
 * Leaves out definitions with a name that another one has: two processes may have accepted the same name concurrently.
 */
const withoutRivals = (definitions: readonly CustomDefinition[]): CustomDefinition[] => {
  const taken = new Set<string>();
  const byAge = definitions.toSorted((a, b) =>
    `${a.metadata.creationTimestamp} ${a.metadata.name}` < `${b.metadata.creationTimestamp} ${b.metadata.name}`
      ? -1
      : 1,
  );
  return byAge.filter((definition) => {
    const names = namesOf(definition);
    if (names.some((name) => taken.has(name))) return false;
    for (const name of names) taken.add(name);
    return true;
  });
};

/**
 * Caches the served definitions with the version of their list. Each call reads the newest version from the storage,
 * with strong consistency, so that a definition created by one process is served by the next request to any other.
 * Compiled definitions are kept while the definition does not change.
 */
export const createCatalog = (storage: Pick<Storage, 'list' | 'latestVersion'>, ofAll: OfCustomKinds = {}): Catalog => {
  let known: Known | undefined;
  let compiled = new Map<string, readonly ResourceDefinition[]>();

  const read = async (): Promise<Known> => {
    const definitions: CustomDefinition[] = [];
    let version: string | undefined;
    let token: string | undefined;
    do {
      // Without a namespace, each would be read for definitions, and none has any.
      const page = await storage.list(CUSTOM_DEFINITIONS, { namespace: '', continue: token });
      // Every item was admitted as one.
      definitions.push(...(page.items as CustomDefinition[]));
      version ??= page.resourceVersion;
      token = page.continue;
    } while (token !== undefined);
    if (definitions.length === 0) return { version: version ?? '', served: NOTHING_SERVED };
    const established = withoutRivals(definitions.filter(isEstablished));
    compiled = new Map(
      established.map((one) => [identityOf(one), compiled.get(identityOf(one)) ?? resourcesOf(one, ofAll)]),
    );
    return { version: version ?? '', served: { definitions, resources: [...compiled.values()].flat() } };
  };

  return {
    current: async () => {
      const latest = await storage.latestVersion(CUSTOM_DEFINITIONS);
      if (known && known.version === latest) return known.served;
      const fresh = await read();
      known = fresh;
      return fresh.served;
    },
  };
};
