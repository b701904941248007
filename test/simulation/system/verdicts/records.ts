/** Records of AWS resources in objects: at the end of a step, each of them must name something that exists. */
import type { Account } from '../../../../infra/local/account.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { AWS_ID } from '../states/forms.ts';
import { idsOf } from '../states/settled.ts';

const RECORDING = new Set(['AWSCluster', 'AWSMachine', 'AWSMachinePool', 'Machine', 'MachinePool']);
/** These members tell what has happened, also to resources that are gone. */
const HISTORY = new Set(['conditions', 'failureMessage', 'failureReason']);
/** Kinds of resources that the account lists. Images, for example, always exist. */
const KNOWN = /^(vpc|subnet|igw|nat|rtb|sg|eipalloc|i|eni|vol|lt)-/;
const BALANCER = 'arn:aws:elasticloadbalancing:';

type Recording = KubeObject & { spec?: unknown; status?: unknown };

/** All texts in a value, with the names of their members. */
const textsIn = (value: unknown, key = ''): [key: string, text: string][] => {
  if (typeof value === 'string') return [[key, value]];
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([name, one]) => (HISTORY.has(name) ? [] : textsIn(one, isList ? key : name)));
};

const balancersOf = (account: Account): Set<string> => {
  const elb = account.elbv2();
  const all = [...elb.loadBalancers.values(), ...account.elb().loadBalancers.values()];
  return new Set([...elb.loadBalancers.keys(), ...elb.targetGroups.keys(), ...all.map(({ dnsName }) => dnsName)]);
};

/** The ids of instances, network resources and load balancers that an object records although nothing has them. */
export const recordBreaches = (account: Account, objects: readonly { object: KubeObject }[]): string[] => {
  const ids = idsOf(account);
  const balancers = balancersOf(account);
  const isGone = ([key, text]: [string, string]): string[] =>
    key === 'dnsName' || text.startsWith(BALANCER)
      ? [text].filter((one) => !balancers.has(one))
      : (text.match(AWS_ID) ?? []).filter((id) => KNOWN.test(id) && !ids.has(id));
  return objects
    .map(({ object }): Recording => object)
    .filter(({ kind, metadata }) => RECORDING.has(kind) && metadata.deletionTimestamp === undefined)
    .flatMap(({ kind, metadata, spec, status }) =>
      [...new Set(textsIn({ spec, status }).flatMap(isGone))].map(
        (id) => `${kind} ${metadata.name} records ${id}, which does not exist`,
      ),
    );
};
