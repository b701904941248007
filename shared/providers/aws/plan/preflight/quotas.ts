/** A quota of an account in a region, in the terms of Service Quotas. */
export interface Quota {
  service: string;
  code: string;
  name: string;
}

/** The quotas that matter for every cluster, whatever its machines are. */
export const QUOTAS = {
  vpcs: { service: 'vpc', code: 'L-F678F1CE', name: 'VPCs per Region' },
  addresses: { service: 'ec2', code: 'L-0263D0A3', name: 'EC2-VPC Elastic IPs' },
  natGateways: { service: 'vpc', code: 'L-FE5A380F', name: 'NAT gateways per Availability Zone' },
  classicLoadBalancers: {
    service: 'elasticloadbalancing',
    code: 'L-E9E9831D',
    name: 'Classic Load Balancers per Region',
  },
  loadBalancers: { service: 'elasticloadbalancing', code: 'L-69A177A2', name: 'Network Load Balancers per Region' },
} as const satisfies Record<string, Quota>;

/**
 * Every account's minimum quota of NAT gateways per zone: a quota is never lowered, so fewer gateways need no query.
 */
export const NAT_GATEWAYS_AT_LEAST = 5;

/** Instance families whose vCPUs EC2 counts together; On-Demand and spot separately. */
interface FamilyQuotas {
  families: RegExp;
  onDemand: readonly [code: string, name: string];
  /** Undefined if the families are not available as spot instances. */
  spot: readonly [code: string, name: string] | undefined;
}

/**
 * The letters before the generation determine the family; longer names come first. Source: EC2's pages on its instance
 * quotas.
 */
const FAMILIES: readonly FamilyQuotas[] = [
  {
    families: /^inf\d/,
    onDemand: ['L-1945791B', 'Running On-Demand Inf instances'],
    spot: ['L-B5D1601B', 'All Inf Spot Instance Requests'],
  },
  {
    families: /^trn\d/,
    onDemand: ['L-2C3B7624', 'Running On-Demand Trn instances'],
    spot: ['L-6B0D517C', 'All Trn Spot Instance Requests'],
  },
  {
    families: /^dl\d/,
    onDemand: ['L-6E869C2A', 'Running On-Demand DL instances'],
    spot: ['L-85EED4F7', 'All DL Spot Instance Requests'],
  },
  {
    families: /^(g|gr|vt)\d/,
    onDemand: ['L-DB2E81BA', 'Running On-Demand G and VT instances'],
    spot: ['L-3819A6DF', 'All G and VT Spot Instance Requests'],
  },
  { families: /^hpc\d/, onDemand: ['L-F7808C92', 'Running On-Demand HPC instances'], spot: undefined },
  { families: /^u-/, onDemand: ['L-43DA4232', 'Running On-Demand High Memory instances'], spot: undefined },
  {
    families: /^f\d/,
    onDemand: ['L-74FC7D96', 'Running On-Demand F instances'],
    spot: ['L-88CF9481', 'All F Spot Instance Requests'],
  },
  {
    families: /^p\d/,
    onDemand: ['L-417A185B', 'Running On-Demand P instances'],
    spot: ['L-7212CCBC', 'All P Spot Instance Requests'],
  },
  {
    families: /^x\d/,
    onDemand: ['L-7295265B', 'Running On-Demand X instances'],
    spot: ['L-E3A00192', 'All X Spot Instance Requests'],
  },
  {
    families: /^(a|c|d|h|i|im|is|m|r|t|z)\d/,
    onDemand: ['L-1216C47A', 'Running On-Demand Standard (A, C, D, H, I, M, R, T, Z) instances'],
    spot: ['L-34B43A08', 'All Standard (A, C, D, H, I, M, R, T, Z) Spot Instance Requests'],
  },
];

/** The quota for the vCPUs of an instance; undefined for a family that is unknown here. */
export const vcpuQuota = (instanceType: string, isSpot: boolean): Quota | undefined => {
  const found = FAMILIES.find(({ families }) => families.test(instanceType));
  const [code, name] = (isSpot ? found?.spot : found?.onDemand) ?? [];
  return code && name ? { service: 'ec2', code, name } : undefined;
};
