import { normal, warning } from '../../../../shared/events/catalogue.ts';

/** Reasons of events that the AWS part of the sweep records itself. */
export const AWS_SWEEP_REASONS = {
  ImageAtRisk: warning({
    AWSCluster: 'AWS has lost an image that its machines run, or is about to lose it.',
  }),
  SuccessfulDeleteBootstrapSecret: normal({
    AWSMachine: 'Secrets were deleted that a late request may have created, or that could not be deleted before.',
  }),
  SuccessfulDeleteBootstrapObject: normal({
    AWSMachine:
      'Bootstrap data in S3 was deleted that a late request may have stored, or that could not be deleted before.',
  }),
  FailedFindSecurityGroups: warning({
    Machine: 'The security groups that its AWSMachine describes by filters could not be found.',
  }),
};
