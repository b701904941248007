import type { EC2Client, ResourceType } from '@aws-sdk/client-ec2';
import { INTENT_TAG, type Tags, toTagList } from '../tags.ts';
import type { Filter } from './filters.ts';

/** Code that all requests to EC2 and their responses share. */

/**
 * How a read is paginated: one page at a time if `pageSize` is given, and otherwise as much as EC2 puts into its first
 * response.
 */
export interface Pages {
  client: EC2Client;
  pageSize?: number;
}

export const toFilters = (filters: readonly Filter[]) =>
  filters.map(({ name, values }) => ({ Name: name, Values: [...values] }));

/** Tags for a creation. They are set in the same call, so a resource is never without its owner. */
export const tagged = (resource: ResourceType, tags: Tags) => [{ ResourceType: resource, Tags: toTagList(tags) }];

/** The id of the resource that a call has created. Throws an Error if the response has none. */
export const idOf = (id: string | undefined, call: string): string => {
  if (id === undefined) throw new Error(`EC2 answered ${call} without an id`);
  return id;
};

/**
 * The intent's token identifies this creation: if the response is lost, the repeated call returns the same resource.
 */
export const tokenOf = (tags: Tags) => (tags[INTENT_TAG] ? { ClientToken: tags[INTENT_TAG] } : {});

/** A field that a response must have. Throws an Error that names it. */
export const required = (value: string | undefined, field: string): string => {
  if (value === undefined) throw new Error(`EC2 answered without ${field}`);
  return value;
};

/** The value of fields that exclude each other. EC2 may return an empty element for a field that does not apply. */
export const firstOf = (...values: readonly (string | undefined)[]): string | undefined => values.find(Boolean);
