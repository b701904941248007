import type { JsonObject } from '../json.ts';
import type { KubeObject } from '../object.ts';
import { parseFieldSelector } from '../selectors/field-selector.ts';
import { type Match, parseLabelSelector } from '../selectors/label-selector.ts';
import { continueAfter } from '../storage/continue-token.ts';
import type { ListResult } from '../storage/storage.ts';
import { type Call, keyOf, namespaceOption } from './call.ts';
import { readListOptions, readVersion } from './list-options.ts';
import { listAtVersion } from './list-version.ts';
import { respondList, respondObject } from './present.ts';

export const get = async (call: Call): Promise<Response> => {
  readVersion(call.query);
  return respondObject(call, await call.registry.get(call.resource, keyOf(call)));
};

/** The restrictions of a list or a watch. */
export interface Selection {
  match: Match;
  /** Set if only one object can match. */
  name?: string;
  /** True if every object in the namespace matches. */
  everything: boolean;
  /** True if an object can start or stop matching. */
  changing: boolean;
}

/** Parses labelSelector and fieldSelector. A watch of one object by URL has a field selector with its name. */
export const selectionOf = ({ resource, query, name }: Call): Selection => {
  const labels = query.get('labelSelector') ?? '';
  const fields = query.get('fieldSelector') ?? '';
  const matchesLabels = parseLabelSelector(labels);
  const byField = parseFieldSelector(resource, fields);
  const wanted = name ?? byField.name;
  const hasName: Match = ({ metadata }) => name === undefined || metadata.name === name;
  return {
    match: (object) => hasName(object) && byField.match(object) && matchesLabels(object),
    name: wanted,
    everything: labels.trim() === '' && fields.trim() === '' && name === undefined,
    changing: labels.trim() !== '' || byField.changing,
  };
};

export const list = async (call: Call): Promise<Response> => {
  const found = await listSelected(call);
  return respondList(call, found.items, listMetadata(call, found));
};

/** The options in the parameters of the call, with `remainingItemCount` only if the number of matches is known. */
export const listSelected = async (call: Call): Promise<ListResult> => {
  const selection = selectionOf(call);
  const { limit, token, wanted } = readListOptions(call.query);
  const found = await listAtVersion(call, wanted, () =>
    selection.name !== undefined && token === undefined
      ? listByName(call, selection.name, selection)
      : listPage(call, selection, { limit, token }),
  );
  return selection.everything ? found : { ...found, remainingItemCount: undefined };
};

export const listMetadata = ({ resource, accepted }: Call, found: ListResult): JsonObject => {
  const { resourceVersion, remainingItemCount, continue: token } = found;
  // Lists of custom resources report that there are no more items.
  const last = !resource.builtIn && accepted.as === 'Object' ? { continue: '' } : {};
  if (token === undefined) return { resourceVersion, ...last };
  return { resourceVersion, continue: token, ...(remainingItemCount === undefined ? {} : { remainingItemCount }) };
};

/**
 * One object by name costs one read and the version, not a read of the complete namespace. The version is read first:
 * it is then no newer than the object, and a watch from it misses nothing.
 */
const listByName = async (call: Call, name: string, selection: Selection): Promise<ListResult> => {
  const { registry, resource, namespace } = call;
  if (resource.namespaced && namespace === '') return listPage(call, selection, {});
  const resourceVersion = await registry.listVersion(resource, namespaceOption(call));
  const found = await registry.find(resource, { namespace, name });
  return { items: found && selection.match(found) ? [found] : [], resourceVersion };
};

/** Few objects may match, so the pages of a list with a selector are larger than its limit, and grow. */
const FIRST_PAGE = 500;
const LARGEST_PAGE = 2000;

const firstPage = ({ everything }: Selection, limit: number | undefined): number | undefined =>
  limit === undefined || everything ? limit : Math.max(limit, FIRST_PAGE);

const largerPage = (size: number | undefined): number | undefined =>
  size && Math.max(size, Math.min(2 * size, LARGEST_PAGE));

/** Reads pages until `limit` objects match, so that a page is only short when it is the last. */
const listPage = async (
  call: Call,
  selection: Selection,
  { limit, token }: { limit?: number; token?: string },
): Promise<ListResult> => {
  const items: KubeObject[] = [];
  let next = token;
  let size = firstPage(selection, limit);
  for (;;) {
    const page = await call.registry.list(call.resource, { ...namespaceOption(call), limit: size, continue: next });
    for (const item of page.items) {
      if (!selection.match(item)) continue;
      items.push(item);
      if (items.length === limit) return endingWith(page, items, item);
    }
    next = page.continue;
    if (next === undefined) return { ...page, items };
    size = largerPage(size);
  }
};

/** The page that ends with this object, among those that were read. */
const endingWith = (page: ListResult, items: KubeObject[], last: KubeObject): ListResult =>
  page.items.at(-1) === last
    ? { ...page, items }
    : { items, resourceVersion: page.resourceVersion, continue: continueAfter(page.resourceVersion, last.metadata) };

/** All matching objects, and the version from which to watch. */
export const listAll = async (call: Call, selection: Selection): Promise<ListResult> =>
  selection.name === undefined ? listPage(call, selection, {}) : listByName(call, selection.name, selection);
