/** A launch with a template, whose parameters are the defaults for those of the request. */
import type * as sdk from '@aws-sdk/client-ec2';
import type { Ec2 } from '../state.ts';
import { findTemplate, getVersion } from './find.ts';

/** Items with the same key replace each other; items with a new key are added. */
const mergeBy = <Item>(base: readonly Item[], own: readonly Item[], keyOf: (item: Item) => unknown): Item[] => {
  const merged = new Map([...base, ...own].map((item) => [keyOf(item), item]));
  return [...merged.values()];
};

const mergeTags = (base: readonly sdk.TagSpecification[], own: readonly sdk.TagSpecification[]) => {
  const types = [...new Set([...base, ...own].map(({ ResourceType }) => ResourceType))];
  const tagsOf = (some: readonly sdk.TagSpecification[], type: sdk.ResourceType | undefined) =>
    some.filter(({ ResourceType }) => ResourceType === type).flatMap(({ Tags = [] }) => Tags);
  return types.map(
    (ResourceType): sdk.TagSpecification => ({
      ResourceType,
      Tags: mergeBy(tagsOf(base, ResourceType), tagsOf(own, ResourceType), ({ Key }) => Key),
    }),
  );
};

/**
 * The request of a launch from a template's data. Parameters of the request replace those of the template; tags are
 * merged by key, volumes by device and interfaces by index. Source: the EC2 guide, "Launch instances from a launch
 * template", on overriding parameters.
 */
export const mergeData = (
  data: sdk.RequestLaunchTemplateData,
  request: sdk.RunInstancesRequest,
): sdk.RunInstancesRequest => {
  const base = data as Partial<sdk.RunInstancesRequest>;
  const given = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
  const merged = { ...base, ...given } as sdk.RunInstancesRequest;
  const { TagSpecifications: tags, BlockDeviceMappings: volumes, NetworkInterfaces: interfaces } = base;
  if (tags) merged.TagSpecifications = mergeTags(tags, request.TagSpecifications ?? []);
  if (volumes)
    merged.BlockDeviceMappings = mergeBy(volumes, request.BlockDeviceMappings ?? [], ({ DeviceName }) => DeviceName);
  if (interfaces)
    merged.NetworkInterfaces = mergeBy(
      interfaces,
      request.NetworkInterfaces ?? [],
      ({ DeviceIndex }) => DeviceIndex ?? 0,
    );
  return merged;
};

/** The request without its reference to a template, and the tags with which EC2 marks instances launched from it. */
export const withTemplate = (
  ec2: Ec2,
  { LaunchTemplate: reference, ...request }: sdk.RunInstancesRequest,
): { input: sdk.RunInstancesRequest; tags: Readonly<Record<string, string>> } => {
  if (!reference) return { input: request as sdk.RunInstancesRequest, tags: {} };
  const template = findTemplate(ec2, reference);
  const version = getVersion(template, reference.Version);
  return {
    input: mergeData(version.data, request as sdk.RunInstancesRequest),
    tags: {
      'aws:ec2launchtemplate:id': template.id,
      'aws:ec2launchtemplate:version': String(version.number),
    },
  };
};
