/** The stored objects, read without requests. */
import { gunzipSync } from 'node:zlib';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { type Attributes, itemsNow } from './items.ts';

/** The JSON of an object, which is compressed if it is long. */
export const textOf = ({ S, B }: { S?: string; B?: string } = {}): string =>
  S ?? gunzipSync(Buffer.from(B ?? '', 'base64')).toString();

/** The keys of objects are `<group>/<plural>|<namespace>`; those of other items contain no slash before the bar. */
const isObject = ({ pk }: Attributes): boolean => pk?.S?.split('|')[0]?.includes('/') === true;

/** All objects that are not removed, with their JSON. Secrets have no data here. */
export const storedObjects = (): { object: KubeObject; text: string }[] =>
  [...itemsNow().texts.values()]
    .map((item) => JSON.parse(item) as Attributes)
    .filter((item) => isObject(item) && item.deletedAt === undefined)
    .map(({ body }) => textOf(body))
    .map((text) => ({ object: JSON.parse(text) as KubeObject, text }));
