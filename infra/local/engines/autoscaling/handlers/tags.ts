import type * as sdk from '@aws-sdk/client-auto-scaling';
import type { Handlers } from '../../wire/handlers.ts';
import { type AutoScaling, getGroup, validationError } from '../state.ts';
import { page } from './pages.ts';
import { readTags } from './read-tags.ts';
import { tagView } from './view.ts';

const FILTERS: Readonly<Record<string, (tag: sdk.TagDescription) => string>> = {
  'auto-scaling-group': ({ ResourceId = '' }) => ResourceId,
  key: ({ Key = '' }) => Key,
  value: ({ Value = '' }) => Value,
  'propagate-at-launch': ({ PropagateAtLaunch }) => String(PropagateAtLaunch === true),
};

const fits = (tag: sdk.TagDescription, filters: readonly sdk.Filter[]): boolean =>
  filters.every(({ Name = '', Values = [] }) => {
    const field = FILTERS[Name];
    if (!field) throw validationError(`The filter '${Name}' is not valid`);
    return Values.includes(field(tag));
  });

/** Tags of groups. Instances get them only at launch. */
export const tagActions = (as: AutoScaling): Handlers<typeof sdk> => ({
  CreateOrUpdateTags: ({ Tags = [] }) => {
    const byGroup = Map.groupBy(Tags, ({ ResourceId }) => getGroup(as, ResourceId));
    const read = [...byGroup].map(([group, tags]) => [group, readTags(group.name, tags, group.tags)] as const);
    for (const [group, tags] of read) for (const [key, tag] of tags) group.tags.set(key, tag);
    return {};
  },
  DeleteTags: ({ Tags = [] }) => {
    const wanted = Tags.map((tag) => ({ tag, group: getGroup(as, tag.ResourceId) }));
    for (const { tag, group } of wanted) {
      const { Key = '', Value } = tag;
      if (Value === undefined || Value === '' || group.tags.get(Key)?.value === Value) group.tags.delete(Key);
    }
    return {};
  },
  DescribeTags: (input) => {
    const tags = [...as.groups.values()].flatMap(tagView);
    const { rows, NextToken } = page(
      tags.filter((tag) => fits(tag, input.Filters ?? [])),
      input,
    );
    return { Tags: rows, NextToken };
  },
});
