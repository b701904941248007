import { kinds } from '../../shared/kinds/index.ts';
import type { Collected } from '../../shared/kube-api/garbage/collector.ts';
import { mapConcurrently } from '../../shared/store/concurrency.ts';
import type { DriftDependencies } from './dependencies.ts';

/** Less than the function's time, of which the look at the account needs a part. */
const BUDGET = { objects: 2_000, milliseconds: 120_000 };
const CONCURRENCY = 10;

type Touched = Collected['touched'][number];

const clusterOf = ({ resource, object }: Touched): string | undefined => {
  const name = resource.clusterNameOf?.(object);
  return name && `${object.metadata.namespace ?? ''}/${name}`;
};

/**
 * Deletes what is owned by nobody any more, where the write that should have done so could not, and asks for a pass over
 * the clusters concerned: what finalizers hold has to be taken down. What fails stays marked for the next sweep.
 */
export const collect = async ({ collectGarbage, objects, touch, log }: DriftDependencies): Promise<number> => {
  const { touched, failures, left } = await collectGarbage(BUDGET);
  for (const failure of failures) log.error('garbage could not be collected', { error: String(failure) });
  if (left > 0) log.warn('garbage is left for the next sweep', { marks: left });
  const clusters = new Set(touched.flatMap((one) => clusterOf(one) ?? []));
  await mapConcurrently([...clusters], CONCURRENCY, async (key) => {
    const [namespace = '', name = ''] = key.split('/');
    const uid = (await objects.get(kinds.cluster, { namespace, name }))?.metadata.uid;
    if (uid) await touch({ namespace, name, uid });
  });
  return touched.length;
};
