import { AccountProblem } from './annotations.ts';

/** Something of others has the name that a Service needs. AWS's names are unique in a region, not in a VPC. */
export const takenByOthers = (what: string): AccountProblem =>
  new AccountProblem(`${what} exists and was not made for this Service; it is left alone`);

/** The same for something with the tags of the Service, such as the rest of a former cluster with the same name. */
export const takenElsewhere = (what: string, vpcId: string, clusterVpcId: string): AccountProblem =>
  new AccountProblem(
    `${what} exists in VPC ${vpcId}, but the cluster is in ${clusterVpcId}; it is left alone: delete it if nothing uses it`,
  );
