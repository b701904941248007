import {
  CreateLaunchTemplateCommand,
  CreateLaunchTemplateVersionCommand,
  DeleteLaunchTemplateCommand,
  DeleteLaunchTemplateVersionsCommand,
  DescribeLaunchTemplateVersionsCommand,
  type EC2Client,
} from '@aws-sdk/client-ec2';
import { isNotFound } from '../../../aws/errors.ts';
import { toTagList } from '../tags.ts';
import { versionDescription } from './desired-template.ts';
import type { DesiredTemplate, ObservedTemplate, TemplateVersion } from './model.ts';
import { describeTemplates } from './template-reads.ts';

/** The calls of EC2 for a pool's launch template. AWS errors are passed on unchanged. */
export interface LaunchTemplates {
  /** The existing templates among these names. */
  describe(names: readonly string[]): Promise<ObservedTemplate[]>;
  latestVersion(id: string): Promise<TemplateVersion | undefined>;
  /** `clientToken`: at most 64 characters. Repeating the call with the same token creates nothing more. */
  create(template: DesiredTemplate, clientToken: string): Promise<ObservedTemplate>;
  /** Returns the number of the version; `clientToken` as above. */
  createVersion(id: string, template: DesiredTemplate, clientToken: string): Promise<number>;
  /** Succeeds for versions that do not exist. */
  deleteVersions(id: string, versions: readonly number[]): Promise<void>;
  /** Succeeds if it is gone. */
  remove(id: string): Promise<void>;
}

const dataOf = ({ data, userData }: DesiredTemplate) => ({ ...data, UserData: userData });

/** The port, implemented with EC2. */
export const createLaunchTemplates = (client: EC2Client): LaunchTemplates => ({
  describe: (names) => describeTemplates(client, names),
  latestVersion: async (LaunchTemplateId) => {
    const input = { LaunchTemplateId, Versions: ['$Latest'] };
    const { LaunchTemplateVersions: [found] = [] } = await client.send(
      new DescribeLaunchTemplateVersionsCommand(input),
    );
    return found?.VersionNumber === undefined
      ? undefined
      : {
          version: found.VersionNumber,
          description: found.VersionDescription,
          data: found.LaunchTemplateData ?? {},
        };
  },
  create: async (template, ClientToken) => {
    const input = {
      ClientToken,
      LaunchTemplateName: template.name,
      VersionDescription: versionDescription(template),
      LaunchTemplateData: dataOf(template),
      TagSpecifications: [{ ResourceType: 'launch-template' as const, Tags: toTagList(template.tags) }],
    };
    const { LaunchTemplate: made } = await client.send(new CreateLaunchTemplateCommand(input));
    const { LaunchTemplateId: id = '', LatestVersionNumber: latestVersion = 1 } = made ?? {};
    return { id, name: template.name, latestVersion, tags: template.tags };
  },
  createVersion: async (LaunchTemplateId, template, ClientToken) => {
    const input = {
      ClientToken,
      LaunchTemplateId,
      VersionDescription: versionDescription(template),
      LaunchTemplateData: dataOf(template),
    };
    const { LaunchTemplateVersion: made } = await client.send(new CreateLaunchTemplateVersionCommand(input));
    return made?.VersionNumber ?? 0;
  },
  deleteVersions: async (LaunchTemplateId, versions) => {
    await client.send(new DeleteLaunchTemplateVersionsCommand({ LaunchTemplateId, Versions: versions.map(String) }));
  },
  remove: async (LaunchTemplateId) => {
    try {
      await client.send(new DeleteLaunchTemplateCommand({ LaunchTemplateId }));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  },
});
