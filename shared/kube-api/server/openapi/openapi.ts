import { createHash } from 'node:crypto';
import type { JsonObject } from '../../json.ts';
import type { ResourceDefinition } from '../../resource.ts';
import type { TextsOf } from '../../schema/with-descriptions.ts';
import { isKnown } from '../not-modified.ts';
import { respond } from '../respond.ts';
import { resourcePaths } from './paths.ts';
import { resourceSchemas, scaleSchema, sharedSchemas } from './schemas.ts';
import type { Part } from './v2/document.ts';
import { createLegacyOpenApi } from './v2/serve.ts';

interface Document {
  text: string;
  /** Identifies the content, so that clients may keep it forever. */
  hash: string;
}

/** Paths and schemas of one group version; `path` is `api/v1` or `apis/<group>/<version>`. */
const partOf = (resources: readonly ResourceDefinition[], path: string, textsOf: TextsOf): Part => ({
  paths: Object.assign({}, ...resources.map((resource) => resourcePaths(resource, `/${path}`))),
  schemas: {
    ...sharedSchemas(),
    ...Object.assign({}, ...resources.map((resource) => resourceSchemas(resource, textsOf))),
    ...(resources.some(({ scale }) => scale) ? scaleSchema() : {}),
  },
});

/** The OpenAPI v3 document of one group version. */
const documentOf = ({ paths, schemas }: Part, version: string): JsonObject => ({
  openapi: '3.0.0',
  info: { title: 'Windlass', version },
  paths,
  components: { schemas },
});

/**
 * Serves /openapi/v2, /openapi/v3 (the index) and /openapi/v3/<path>. Documents are created at their first use.
 * `basePath` is the prefix of the paths in the client's URLs, such as the stage of an API Gateway.
 */
export const createOpenApi = (definitions: readonly ResourceDefinition[], version: string, textsOf: TextsOf) => {
  const groups = Map.groupBy(definitions, ({ group, version: served }) =>
    group === '' ? `api/${served}` : `apis/${group}/${served}`,
  );
  const documents = new Map<string, Document>();
  const read = (path: string): Document | undefined => {
    const resources = groups.get(path);
    if (!resources) return undefined;
    const known = documents.get(path) ?? hashed(JSON.stringify(documentOf(partOf(resources, path, textsOf), version)));
    documents.set(path, known);
    return known;
  };

  const index = (basePath: string): Response => {
    const entries = [...groups.keys()].map((path) => {
      const url = `${basePath}/openapi/v3/${path}?hash=${read(path)?.hash}`;
      return [path, { serverRelativeURL: url }] as const;
    });
    return respond({ paths: Object.fromEntries(entries) }, { headers: { vary: 'Accept' } });
  };

  const parts = () => [...groups].map(([path, resources]) => partOf(resources, path, textsOf));
  const legacy = createLegacyOpenApi(parts, version);

  return (path: string, query: URLSearchParams, basePath: string, headers: Headers): Response | undefined => {
    if (path === '/openapi/v2') return legacy(headers);
    if (path === '/openapi/v3' || path === '/openapi/v3/') return index(basePath);
    const document = path.startsWith('/openapi/v3/') ? read(path.slice('/openapi/v3/'.length)) : undefined;
    return document && respondDocument(document, query.get('hash') ?? '', headers);
  };
};

const hashed = (text: string): Document => ({
  text,
  hash: createHash('sha256').update(text).digest('hex').toUpperCase(),
});

const YEAR_SECONDS = 365 * 24 * 3600;

const REVALIDATED = 'no-cache, private';

/**
 * The content of a URL with the right hash never changes; without one, the client must revalidate. With the hash of an
 * older document, the client is redirected to the current one, because it would keep the response for a year. The
 * location is relative, so that it is valid behind any proxy and stage. It is not cached, because a later deployment
 * may return to an older document.
 */
const respondDocument = ({ text, hash }: Document, asked: string, headers: Headers): Response => {
  const etag = `"${hash}"`;
  const common = { vary: 'Accept', etag };
  if (asked !== '' && asked !== hash) {
    const location = `?hash=${hash}`;
    return new Response(null, { status: 301, headers: { ...common, location, 'cache-control': REVALIDATED } });
  }
  const lasting = asked === hash;
  const caching = { 'cache-control': lasting ? `public, immutable, max-age=${YEAR_SECONDS}` : REVALIDATED };
  if (isKnown(headers, etag)) return new Response(null, { status: 304, headers: { ...common, ...caching } });
  return new Response(text, { headers: { ...common, ...caching, 'content-type': 'application/json' } });
};
