import type { Clock } from '../../../shared/clock.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import type { Storage } from '../../../shared/kube-api/storage/storage.ts';

/**
 * What was read is used for this time: upstream's servers also learn of a configuration some time after it was written.
 */
const FRESH_MILLISECONDS = 10_000;

/**
 * All objects of a kind that has few objects and no namespaces. Returns the same list as long as its version stays the
 * same, which costs one small read.
 */
export const rememberAll = (storage: Storage, resource: ResourceDefinition): (() => Promise<readonly KubeObject[]>) => {
  let known: { version: string; objects: readonly KubeObject[] } | undefined;
  return async () => {
    const version = await storage.latestVersion(resource);
    if (known?.version === version) return known.objects;
    const found: KubeObject[] = [];
    let first: string | undefined;
    let token: string | undefined;
    do {
      const page = await storage.list(resource, { namespace: '', continue: token });
      found.push(...page.items);
      first ??= page.resourceVersion;
      token = page.continue;
    } while (token !== undefined);
    known = { version: first ?? version, objects: found };
    return found;
  };
};

/** Reads at most once in ten seconds, unless told to forget; a failure is not cached. */
export const rememberFor = <T>(clock: Clock, read: () => Promise<T>): { get(): Promise<T>; forget(): void } => {
  let known: { until: number; value: Promise<T> } | undefined;
  return {
    get: () => {
      const now = clock.now().getTime();
      if (known && known.until > now) return known.value;
      const value = read();
      const next = { until: now + FRESH_MILLISECONDS, value };
      known = next;
      value.catch(() => {
        if (known === next) known = undefined;
      });
      return value;
    },
    forget: () => {
      known = undefined;
    },
  };
};

/** Computes a value from lists, once for the same lists. */
export const once = <L extends readonly unknown[], T>(make: (...lists: L) => T): ((...lists: L) => T) => {
  let made: { lists: L; value: T } | undefined;
  return (...lists) => {
    const isSame = made?.lists.every((list, index) => list === lists[index]) ?? false;
    if (!made || !isSame) made = { lists, value: make(...lists) };
    return made.value;
  };
};
