import { secretPrefix } from '../../../shared/bootstrap/delivery/plan.ts';
import { MissingReferenceError, RefusedError } from '../../../shared/errors.ts';
import { type AWSCluster, type AWSMachine, kinds, type Machine } from '../../../shared/kinds/index.ts';
import { type FrozenLaunch, LAUNCH_ANNOTATION, readFrozenLaunch } from '../../../shared/plan/launch/frozen.ts';
import { describeQuery, imageQuery, newestImage } from '../../../shared/plan/launch/image.ts';
import { type LaunchRequest, launchRequest } from '../../../shared/plan/launch/request.ts';
import { chooseSubnet } from '../../../shared/plan/launch/subnet.ts';
import { isControlPlaneMachine } from '../read-machine.ts';
import type { InstanceDependencies } from './dependencies.ts';

const securityGroupIds = (machine: Machine, infrastructure: AWSMachine, cluster: AWSCluster): string[] => {
  const groups = cluster.status?.networkStatus?.securityGroups ?? {};
  const roles = ['node', 'lb', ...(isControlPlaneMachine(machine) ? ['controlplane'] : [])];
  const overrides: Readonly<Record<string, string>> = infrastructure.spec.securityGroupOverrides ?? {};
  const own = roles.map((role) => {
    const id = overrides[role] ?? groups[role as keyof typeof groups]?.id;
    if (!id)
      throw new MissingReferenceError(`AWSCluster ${cluster.metadata.name} has no security group of role ${role} yet`);
    return id;
  });
  const additional = (infrastructure.spec.additionalSecurityGroups ?? []).map(({ id }, index) => {
    const field = `AWSMachine spec.additionalSecurityGroups[${index}]`;
    if (!id) throw new RefusedError(`${field}.filters is not supported yet; give the id`);
    return id;
  });
  return [...own, ...additional];
};

const findImage = async (
  { ec2 }: InstanceDependencies,
  machine: Machine,
  infrastructure: AWSMachine,
  cluster: AWSCluster,
): Promise<{ id: string; rootDevice: string }> => {
  const architecture = infrastructure.spec.ami?.id ? '' : await ec2.architecture(infrastructure.spec.instanceType);
  const query = imageQuery(infrastructure, cluster, machine.spec.version ?? '', architecture);
  const image = newestImage(await ec2.images(query));
  if (!image?.ImageId) {
    throw new MissingReferenceError(
      `there is no image with ${describeQuery(query)}; set spec.ami.id of the AWSMachineTemplate or share such an image`,
    );
  }
  return { id: image.ImageId, rootDevice: image.RootDeviceName ?? '/dev/sda1' };
};

const decide = async (
  deps: InstanceDependencies,
  machine: Machine,
  infrastructure: AWSMachine,
  awsCluster: AWSCluster,
): Promise<LaunchRequest> => {
  const subnet = chooseSubnet(machine, infrastructure, awsCluster);
  if ('problem' in subnet) throw new MissingReferenceError(subnet.problem);
  const cluster = { namespace: machine.metadata.namespace ?? '', name: machine.spec.clusterName };
  return launchRequest({
    cluster,
    machine,
    infrastructure,
    awsCluster,
    image: await findImage(deps, machine, infrastructure, awsCluster),
    subnetId: subnet.id,
    securityGroupIds: securityGroupIds(machine, infrastructure, awsCluster),
  });
};

/** Decides a machine's launch and writes it down, or returns what was written down before. */
export const freezeLaunch = async (
  deps: InstanceDependencies,
  machine: Machine,
  infrastructure: AWSMachine,
  awsCluster: AWSCluster,
): Promise<FrozenLaunch> => {
  const before = readFrozenLaunch(infrastructure);
  if (before) return before;
  const request = await decide(deps, machine, infrastructure, awsCluster);
  const decided: FrozenLaunch = { at: deps.clock.now().toISOString(), request };
  const key = { namespace: machine.metadata.namespace ?? '', name: infrastructure.metadata.name };
  const written = await deps.objects.mutate(kinds.awsMachine, key, (current) =>
    readFrozenLaunch(current)
      ? undefined
      : {
          ...current,
          metadata: {
            ...current.metadata,
            annotations: { ...current.metadata.annotations, [LAUNCH_ANNOTATION]: JSON.stringify(decided) },
          },
        },
  );
  // Another run may have been first: then its decision stands.
  const stored = written && readFrozenLaunch(written);
  if (!stored) throw new MissingReferenceError(`AWSMachine ${infrastructure.metadata.name} is gone`);
  return stored;
};

/** The prefix of the machine's secrets: the user's, or one that follows from the machine's uid. */
export const secretPrefixOf = (machine: Machine, infrastructure: AWSMachine): string =>
  infrastructure.spec.cloudInit?.secretPrefix ?? secretPrefix(machine.metadata.uid ?? '');
