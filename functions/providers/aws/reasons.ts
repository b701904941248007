import { normal, warning } from '../../../shared/events/catalogue.ts';

/** Reasons of events recorded by code that several functions of the provider share; each records under its own name. */

const both = (sentence: string) => ({ AWSCluster: sentence, AWSMachine: sentence });

export const ADDRESS_REASONS = {
  SuccessfulAllocateEIP: normal(both('A call to allocate an Elastic IP address succeeded.')),
  FailedAllocateEIP: warning(both('A call to allocate an Elastic IP address failed.')),
  SuccessfulReleaseEIP: normal({
    ...both('A call to release an Elastic IP address succeeded.'),
    Machine: 'An Elastic IP address of its instance was released, although its AWSMachine no longer exists.',
  }),
};

export const BOOTSTRAP_REMAINS_REASONS = {
  SuccessfulDeleteBootstrapSecret: normal({ AWSMachine: 'The secrets with its bootstrap data were deleted.' }),
  BootstrapSecretNotOwned: warning({
    AWSMachine: 'The secrets that it names were kept, because their tags do not name this machine.',
  }),
  SuccessfulDeleteBootstrapObject: normal({ AWSMachine: 'The S3 object with its bootstrap data was deleted.' }),
  BootstrapObjectNotOwned: warning({
    AWSMachine: 'The S3 object that it names was kept, because it does not have the name for this machine.',
  }),
};
