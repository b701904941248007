import { addressPools } from './address-pools/driver.ts';
import { addresses } from './addresses/driver.ts';
import type { Ec2NetworkReads } from './api.ts';
import { bastion } from './bastion/driver.ts';
import { carrierGateway } from './carrier-gateway/driver.ts';
import { defaultGroup } from './default-group/driver.ts';
import type { DesiredInput } from './desired-input.ts';
import type { AnyDriver, Belonging, Operation, Operations, Stage, View } from './driver.ts';
import { egressOnlyGateway } from './egress-only-gateway/driver.ts';
import { endpoints } from './endpoints/driver.ts';
import { internetGateway } from './internet-gateway/driver.ts';
import type { NetworkAction, NetworkPlan, ObservedNetwork } from './model.ts';
import { natGateways } from './nat-gateways/driver.ts';
import { networkInterfaces } from './network-interfaces/driver.ts';
import { routeTables } from './route-tables/driver.ts';
import { secondaryBlocks } from './secondary-blocks/driver.ts';
import { securityGroups } from './security-groups/driver.ts';
import type { Situation } from './situation.ts';
import { subnets } from './subnets/driver.ts';
import { tags } from './tags/driver.ts';
import { vpc } from './vpc/driver.ts';
import type { SeenVpcs } from './vpc/model.ts';

/**
 * The resources of a network in the order in which they are planned: later ones lie in earlier ones, or have routes to
 * them. All code for the complete network uses this list.
 */
const ALL = [
  tags,
  vpc,
  secondaryBlocks,
  subnets,
  internetGateway,
  egressOnlyGateway,
  carrierGateway,
  endpoints,
  routeTables,
  addressPools,
  addresses,
  natGateways,
  defaultGroup,
  securityGroups,
  bastion,
  networkInterfaces,
] as const satisfies readonly AnyDriver[];

export const DRIVERS: readonly AnyDriver[] = ALL;

/** The order of deletion. The VPC is deleted after all of them (vpc/take-down.ts). */
export const TAKE_DOWN_ORDER: readonly AnyDriver[] = [
  bastion,
  natGateways,
  addresses,
  internetGateway,
  routeTables,
  securityGroups,
  subnets,
  endpoints,
  egressOnlyGateway,
  carrierGateway,
  secondaryBlocks,
];

/** Resources that no other cluster in the same VPC uses. */
export const ONLY_OF_THE_CLUSTER: readonly AnyDriver[] = [bastion, securityGroups];

type One = (typeof ALL)[number];

/** The combination of all parts, so that the compiler finds parts that no driver observes, desires or acts on. */
type Whole<Part> = (Part extends unknown ? (part: Part) => void : never) extends (whole: infer W) => void ? W : never;

type Wanted<D> = D extends { desired: (...input: never[]) => infer W } ? W : never;
type Seen<D> = D extends { observe: { look: (...input: never[]) => Promise<infer S> } } ? S : never;
type Own<D> = D extends { ownPart: (...input: never[]) => infer S } ? S : never;

const merge = (parts: readonly object[]) => Object.assign({}, ...parts);

/** Each driver's part of the desired network. */
export const wantedBy = (input: DesiredInput): Whole<Wanted<One>> =>
  merge(DRIVERS.map((driver) => driver.desired?.(input) ?? {}));

const STAGES: readonly Stage[] = ['first', 'then', 'last'];

/** The observations of all drivers, in addition to the VPCs. */
export const lookWith = async (
  ec2: Ec2NetworkReads,
  view: View,
  vpcs: SeenVpcs,
): Promise<SeenVpcs & Whole<Seen<One>>> => {
  const seen = { ...vpcs, subnets: [], securityGroups: [] };
  for (const stage of STAGES) {
    const observers = DRIVERS.flatMap(({ observe }) => (observe?.stage === stage ? [observe] : []));
    Object.assign(seen, ...(await Promise.all(observers.map(({ look }) => look(ec2, view, seen)))));
  }
  // All drivers have added their parts by now.
  return seen as unknown as SeenVpcs & Whole<Seen<One>>;
};

/** The parts of each driver's resources that are deleted with the cluster. */
export const ownPartOf = (observed: ObservedNetwork, belonging: Belonging): Whole<Own<One>> =>
  merge(DRIVERS.map((driver) => driver.ownPart?.(observed, belonging) ?? {}));

const DRIVER_OF = new Map(DRIVERS.flatMap((driver) => Object.keys(driver.operations).map((type) => [type, driver])));

/** The driver to which the action belongs. */
export const driverOf = ({ type }: NetworkAction): AnyDriver => {
  const driver = DRIVER_OF.get(type);
  if (!driver) throw new Error(`no driver of the network has the action ${type}`);
  return driver;
};

const OPERATIONS: Operations<NetworkAction> = merge(ALL.map(({ operations }) => operations)) as Whole<
  One['operations']
>;

/** How an action is carried out, and what it means. */
export const operationOf = ({ type }: NetworkAction): Operation<NetworkAction> =>
  // The table contains the operation for each type, which TypeScript cannot infer through the lookup.
  OPERATIONS[type] as Operation<NetworkAction>;

/** The plans of a step's drivers in one of the cluster's VPCs. */
export const plansOf = (step: 'network' | 'natGateways', situation: Situation, vpcId: string): NetworkPlan[] =>
  DRIVERS.flatMap((driver) =>
    driver.plan && (driver.step === step || driver.step === 'both') ? [driver.plan(situation, vpcId)] : [],
  );
