import type { Asked } from '../endpoint.ts';

/** Short forms for the requests in the tables of cases. */

type Headers = Record<string, string>;

export const get = (path: string, headers: Headers = {}): Asked => ({ method: 'GET', path, headers });
export const post = (path: string, body: unknown, headers: Headers = {}): Asked => ({
  method: 'POST',
  path,
  body,
  headers,
});
export const put = (path: string, body: unknown, headers: Headers = {}): Asked => ({
  method: 'PUT',
  path,
  body,
  headers,
});
export const remove = (path: string, body?: unknown): Asked => ({ method: 'DELETE', path, body });

const patch =
  (type: string) =>
  (path: string, body: unknown): Asked => ({ method: 'PATCH', path, body, headers: { 'content-type': type } });

export const mergePatch = patch('application/merge-patch+json');
export const jsonPatch = patch('application/json-patch+json');
export const strategicPatch = patch('application/strategic-merge-patch+json');
export const applyPatch = patch('application/apply-patch+yaml');

export const AS_TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };
/**
 * The older version of these media types, which clients requested until 2019, alone or as an alternative to the newer
 * one.
 */
export const AS_OLD_TABLE = { accept: 'application/json;as=Table;v=v1beta1;g=meta.k8s.io' };
export const AS_OLD_PARTIAL = { accept: 'application/json;as=PartialObjectMetadata;v=v1beta1;g=meta.k8s.io' };
export const AS_OLD_PARTIAL_LIST = { accept: 'application/json;as=PartialObjectMetadataList;v=v1beta1;g=meta.k8s.io' };
export const AS_PARTIAL = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' };
export const AS_PARTIAL_LIST = { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' };

export const send = (method: string, path: string, headers: Headers = {}, body?: unknown): Asked => ({
  method,
  path,
  body,
  headers,
});

export const type = (value: string) => ({ 'content-type': value });
export const accept = (value: string) => ({ accept: value });
