import type { Machine } from '../../../../shared/kinds/index.ts';
import { readStoredData, type StoredBootstrapData } from '../../bootstrap-data.ts';
import type { InstanceDependencies } from './dependencies.ts';

export type { StoredBootstrapData };

/** Reads the Secret that a machine names, whether Windlass or the user created it. */
export const readBootstrapData = (
  { objects }: Pick<InstanceDependencies, 'objects'>,
  machine: Machine,
): Promise<StoredBootstrapData> => readStoredData(objects, machine);
