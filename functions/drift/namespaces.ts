import { kinds } from '../../shared/kinds/index.ts';
import type { DriftDependencies } from './dependencies.ts';

/** The names of the namespaces whose clusters are looked at. */
export const readNamespaces = async ({ objects }: Pick<DriftDependencies, 'objects'>): Promise<string[]> =>
  (await objects.survey(kinds.namespace)).map(({ metadata }) => metadata.name);
