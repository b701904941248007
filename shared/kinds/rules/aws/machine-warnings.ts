import type { AWSMachineSpec } from '../../schema/aws-machine-spec.ts';
import { type Unsupported, warnUnsupported } from '../unsupported.ts';

const UNSUPPORTED: Unsupported<AWSMachineSpec> = {
  'ami.eksLookupType': (spec) => spec.ami?.eksLookupType,
};

/** Warnings for the instance of a machine, in a template or an actual machine; `prefix` is the path of the spec. */
export const warnAWSMachineSpec = (spec: AWSMachineSpec, prefix: string): string[] =>
  warnUnsupported(UNSUPPORTED, spec, prefix);
