import { type Unsupported, warnUnsupported } from '../rules/unsupported.ts';
import type { AWSMachinePool } from './schema.ts';

const UNSUPPORTED: Unsupported<NonNullable<AWSMachinePool['spec']>> = {
  'awsLaunchTemplate.ami.eksLookupType': ({ awsLaunchTemplate }) => awsLaunchTemplate.ami?.eksLookupType,
  'awsLaunchTemplate.versionNumber': ({ awsLaunchTemplate }) => awsLaunchTemplate.versionNumber,
};

/** Warnings for fields that are stored but have no effect. */
export const warnAWSMachinePool = ({ spec }: AWSMachinePool): string[] =>
  spec ? warnUnsupported(UNSUPPORTED, spec) : [];
