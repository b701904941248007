import { kinds } from '../../shared/kinds/index.ts';
import type { DriftDependencies } from './dependencies.ts';
import { isIn } from './shards.ts';

/** The names of the namespaces of this part of the fleet. */
export const readNamespaces = async ({
  objects,
  shard,
}: Pick<DriftDependencies, 'objects' | 'shard'>): Promise<string[]> => {
  const names = (await objects.survey(kinds.namespace)).map(({ metadata }) => metadata.name);
  return names.filter((name) => isIn(name, shard));
};
