/** The sections of a description about a cluster's location and cost. Pure. */
import type { CostEstimate } from '../../../shared/providers/aws/plan/cost/estimate.ts';
import type { Paint } from '../progress/render.ts';
import { costNotes, costText, ownCostNote } from './cost.ts';
import { columns } from './table.ts';
import type { PartState, Topology, Zone } from './topology.ts';

const INDENT = '  ';

const indented = (lines: readonly string[]): string[] => lines.map((line) => (line === '' ? '' : `${INDENT}${line}`));

/** Unreported states are omitted. */
const stateText = (state: PartState): string => (state === 'unknown' ? '' : state);

const ZONE_HEADER = ['ZONE', 'SUBNET', 'TYPE', 'CIDR', 'NAT GATEWAY', 'MACHINES'];

const zoneRows = ({ zone, subnets, machines }: Zone, natGateways: PartState): string[][] => {
  const count = machines.length === 0 ? '' : String(machines.length);
  const waits = natGateways === 'not Ready' ? ' (not Ready)' : '';
  if (subnets.length === 0) return [[zone, '', '', '', '', count]];
  return subnets.map(({ id, cidr, isPublic, natGateway }, at) => [
    at === 0 ? zone : '',
    id,
    isPublic ? 'public' : 'private',
    cidr,
    natGateway && `${natGateway}${waits}`,
    at === 0 ? count : '',
  ]);
};

/** The VPC and the load balancers, then the subnets by zone. */
export const topologyLines = ({ vpc, loadBalancers, natGateways, zones }: Topology, paint: Paint): string[] => {
  const parts = [
    ['VPC', vpc.id, vpc.cidr, '', stateText(vpc.state)],
    ...loadBalancers.map(({ name, type, scheme, dnsName, state }) => [
      'Load balancer',
      name,
      `${type}, ${scheme}`,
      dnsName,
      stateText(state),
    ]),
  ];
  const rows = zones.flatMap((zone) => zoneRows(zone, natGateways));
  const [header = '', ...lines] = columns([ZONE_HEADER, ...rows], { header: 1 });
  return indented([...columns(parts, { header: 0 }), ...(rows.length > 0 ? ['', paint('dim', header), ...lines] : [])]);
};

export const costTitle = (cost: CostEstimate): string => `Cost per month: ${costText(cost)}`;

/** Each kind of resource with its number and price, then the source of the prices. */
export const costLines = (cost: CostEstimate, paint: Paint): string[] => {
  const amounts = cost.lines.map(({ usdPerMonth, unknown }) =>
    usdPerMonth === undefined ? `not counted: ${unknown}` : usdPerMonth.toFixed(2),
  );
  const width = Math.max(
    0,
    ...cost.lines.map((line, at) => (line.usdPerMonth === undefined ? 0 : (amounts[at] ?? '').length)),
  );
  const rows = cost.lines.map(({ quantity, item, usdPerMonth }, at) => [
    String(quantity),
    item,
    usdPerMonth === undefined ? (amounts[at] ?? '') : (amounts[at] ?? '').padStart(width),
  ]);
  return indented([
    ...columns(rows, { header: 0 }),
    ...[...costNotes(cost), ownCostNote(cost.own)].map((note) => paint('dim', note)),
  ]);
};
