import type { EC2Client, ResourceType } from '@aws-sdk/client-ec2';
import { INTENT_TAG, type Tags, toTagList } from '../tags.ts';
import type { Filter } from './filters.ts';

/** What requests to EC2 and its answers have in common. */

/** By which a read is made: a page at a time where `pageSize` is given, else as much as EC2 puts into its first answer. */
export interface Pages {
  client: EC2Client;
  pageSize?: number;
}

export const toFilters = (filters: readonly Filter[]) =>
  filters.map(({ name, values }) => ({ Name: name, Values: [...values] }));

/** Tags of a creation, set in the same call: a resource is never without its owner. */
export const tagged = (resource: ResourceType, tags: Tags) => [{ ResourceType: resource, Tags: toTagList(tags) }];

/** The id of the resource that a call created. Throws an Error if the answer has none. */
export const idOf = (id: string | undefined, call: string): string => {
  if (id === undefined) throw new Error(`EC2 answered ${call} without an id`);
  return id;
};

/** The intent's token names this very creation: a lost answer gives the same thing again. */
export const tokenOf = (tags: Tags) => (tags[INTENT_TAG] ? { ClientToken: tags[INTENT_TAG] } : {});

/** A field without which an answer says nothing. Throws an Error that names it. */
export const required = (value: string | undefined, field: string): string => {
  if (value === undefined) throw new Error(`EC2 answered without ${field}`);
  return value;
};

/** Of fields that exclude each other. EC2 may answer with an empty element for what does not apply. */
export const firstOf = (...values: readonly (string | undefined)[]): string | undefined => values.find(Boolean);
