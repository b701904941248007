import { normal, warning } from '../../../../shared/events/catalogue.ts';

/** Reasons of events that the AWS part of the sweep records itself. */
export const AWS_SWEEP_REASONS = {
  ImageAtRisk: warning({
    AWSCluster: 'AWS has lost an image that its machines run, or is about to lose it.',
  }),
  SuccessfulDeleteBootstrapSecret: normal({
    AWSMachine: 'Secrets were deleted that a late request may have created after its bootstrap data was deleted.',
  }),
  SuccessfulDeleteBootstrapObject: normal({
    AWSMachine: 'An object of S3 was deleted that a late request may have stored after the bootstrap data was deleted.',
  }),
  FailedFindSecurityGroups: warning({
    Machine: 'The security groups that its AWSMachine describes by filters could not be found.',
  }),
};
