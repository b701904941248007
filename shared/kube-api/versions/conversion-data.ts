import type { ObjectMeta } from '../object.ts';

/**
 * The annotation in which Cluster API keeps what a version cannot express. On an object of a further version, it
 * contains the body of the stored object, as upstream writes it; on a stored object, it contains what only the other
 * version can express.
 */
export const CONVERSION_DATA = 'cluster.x-k8s.io/conversion-data';

/** Returns metadata with this conversion data, or without any; the same value if nothing changes. */
export const withConversionData = (metadata: ObjectMeta, data: string | undefined): ObjectMeta => {
  if (metadata.annotations?.[CONVERSION_DATA] === data) return metadata;
  const { [CONVERSION_DATA]: _, ...others } = metadata.annotations ?? {};
  const annotations = data === undefined ? others : { ...others, [CONVERSION_DATA]: data };
  const { annotations: __, ...rest } = metadata;
  return Object.keys(annotations).length === 0 ? rest : { ...rest, annotations };
};
