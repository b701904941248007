import type { ResourceDefinition } from '../kube-api/resource.ts';
import { servedResources } from '../kube-api/versions/served.ts';
import { KINDS } from './index.ts';

const keyOf = (apiVersion: string, kind: string): string => `${apiVersion}/${kind}`;

const SERVED: ReadonlyMap<string, ResourceDefinition> = new Map(
  servedResources(KINDS).map((resource) => [
    keyOf(resource.group === '' ? resource.version : `${resource.group}/${resource.version}`, resource.kind),
    resource,
  ]),
);

/** The definition of a kind in a version, stored or not; undefined if it is not served. */
export const servedKind = ({
  apiVersion,
  kind,
}: {
  apiVersion: string;
  kind: string;
}): ResourceDefinition | undefined => SERVED.get(keyOf(apiVersion, kind));
