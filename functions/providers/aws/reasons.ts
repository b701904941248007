import { normal, warning } from '../../../shared/events/catalogue.ts';

/** Why events are recorded by what several functions of the provider share; each records in its own name. */

const both = (sentence: string) => ({ AWSCluster: sentence, AWSMachine: sentence });

export const ADDRESS_REASONS = {
  SuccessfulAllocateEIP: normal(both('An Elastic IP address was allocated.')),
  FailedAllocateEIP: warning(both('An Elastic IP address could not be allocated.')),
  SuccessfulReleaseEIP: normal(both('An Elastic IP address that leads nowhere was released.')),
};

export const BOOTSTRAP_REMAINS_REASONS = {
  SuccessfulDeleteBootstrapSecret: normal({ AWSMachine: 'The secrets with its bootstrap data were deleted.' }),
  BootstrapSecretNotOwned: warning({
    AWSMachine: 'The secrets that it names stay, because their tags do not name this machine.',
  }),
  SuccessfulDeleteBootstrapObject: normal({ AWSMachine: 'The S3 object with its bootstrap data was deleted.' }),
  BootstrapObjectNotOwned: warning({
    AWSMachine: 'The S3 object that it names stays, because its name is not that of this machine.',
  }),
};
