import { createHash } from 'node:crypto';
import type { JsonObject } from '../json.ts';
import type { ApiResource, GroupVersion } from './api-resource.ts';
import { isKnown } from './not-modified.ts';
import { respond } from './respond.ts';

const AGGREGATED =
  /application\/json\s*;(?=[^,]*g=apidiscovery\.k8s\.io)(?=[^,]*as=APIGroupDiscoveryList)[^,]*v=(v2beta1|v2)\b/;

/** The aggregated form, if the client requests it. */
export const respondAggregated = (offered: readonly GroupVersion[], headers: Headers): Response | undefined => {
  const version = AGGREGATED.exec(headers.get('accept') ?? '')?.[1];
  if (version === undefined) return undefined;
  const items = [...Map.groupBy(offered, ({ group }) => group)].map(([name, entries]) => ({
    metadata: name === '' ? {} : { name },
    versions: entries.map((entry) => ({
      version: entry.version,
      freshness: 'Current',
      resources: aggregatedResources(entry),
    })),
  }));
  const contentType = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
  const body = { kind: 'APIGroupDiscoveryList', apiVersion: `apidiscovery.k8s.io/${version}`, metadata: {}, items };
  const etag = `"${createHash('sha256').update(JSON.stringify(body)).digest('hex').toUpperCase()}"`;
  const caching = { 'cache-control': 'public', vary: 'Accept', etag };
  if (isKnown(headers, etag)) return new Response(null, { status: 304, headers: caching });
  return respond(body, { headers: { 'content-type': contentType, ...caching } });
};

/** Entries of built-in kinds do not contain their group; clients take it from the document. */
const aggregatedResources = ({ group, version, builtIn, resources }: GroupVersion): JsonObject[] => {
  const kindOf = (resource: ApiResource): JsonObject => ({
    group: resource.group ?? (builtIn ? '' : group),
    version: resource.version ?? (builtIn ? '' : version),
    kind: resource.kind,
  });
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map((resource) => {
      const prefix = `${resource.name}/`;
      const parts = resources.filter(({ name }) => name.startsWith(prefix));
      return {
        resource: resource.name,
        responseKind: kindOf(resource),
        scope: resource.namespaced ? 'Namespaced' : 'Cluster',
        singularResource: resource.singularName,
        verbs: resource.verbs,
        ...(resource.shortNames ? { shortNames: resource.shortNames } : {}),
        ...(resource.categories ? { categories: resource.categories } : {}),
        ...(parts.length > 0
          ? {
              subresources: parts.map((part) => ({
                subresource: part.name.slice(prefix.length),
                responseKind: kindOf(part),
                verbs: part.verbs,
              })),
            }
          : {}),
      };
    });
};
