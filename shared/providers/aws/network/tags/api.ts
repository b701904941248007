import { CreateTagsCommand, DeleteTagsCommand, type EC2Client } from '@aws-sdk/client-ec2';
import { type Tags, toTagList } from '../../tags.ts';

export interface TagWrites {
  createTags(input: { resourceId: string; tags: Tags }): Promise<void>;
  deleteTags(input: { resourceId: string; keys: readonly string[] }): Promise<void>;
}

export const tagWrites = (client: EC2Client): TagWrites => ({
  createTags: async ({ resourceId, tags }) => {
    await client.send(new CreateTagsCommand({ Resources: [resourceId], Tags: toTagList(tags) }));
  },
  deleteTags: async ({ resourceId, keys }) => {
    const input = { Resources: [resourceId], Tags: keys.map((Key) => ({ Key })) };
    await client.send(new DeleteTagsCommand(input));
  },
});
