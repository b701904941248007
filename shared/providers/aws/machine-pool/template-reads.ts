import { DescribeLaunchTemplatesCommand, type EC2Client } from '@aws-sdk/client-ec2';
import { fromTagList } from '../tags.ts';
import type { ObservedTemplate } from './model.ts';

/** The existing launch templates among these; at most 200 names. */
export const describeTemplates = async (client: EC2Client, names: readonly string[]): Promise<ObservedTemplate[]> => {
  // A filter, unlike a name, never fails because it is not found.
  const Filters = [{ Name: 'launch-template-name', Values: [...names] }];
  const { LaunchTemplates = [] } = await client.send(new DescribeLaunchTemplatesCommand({ Filters }));
  return LaunchTemplates.map((found) => ({
    id: found.LaunchTemplateId ?? '',
    name: found.LaunchTemplateName ?? '',
    latestVersion: found.LatestVersionNumber ?? 1,
    tags: fromTagList(found.Tags),
  }));
};
