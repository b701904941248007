import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import * as may from './permissions.ts';
import { encryptingVolumes } from './volume-keys.ts';

/** Launches and terminates bastions, which the role tag distinguishes from machines, and no other instances. */
export const keepingBastions = (): PolicyStatement[] => [
  may.statement(['ec2:RunInstances'], may.arns('ec2', ['instance', 'volume']), {
    StringEquals: { [`aws:RequestTag/${may.ROLE_TAG}`]: 'bastion' },
  }),
  may.taggingOnCreate(['RunInstances'], ['instance', 'volume', 'network-interface']),
  may.referring('ec2', ['RunInstances'], ['network-interface', 'security-group', 'key-pair']),
  may.referringShared('ec2', ['RunInstances'], ['subnet']),
  ...encryptingVolumes(),
  may.statement(['ec2:TerminateInstances'], may.arns('ec2', ['instance']), {
    StringEquals: { [`aws:ResourceTag/${may.ROLE_TAG}`]: 'bastion' },
  }),
];
