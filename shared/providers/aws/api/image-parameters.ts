import { GetParameterCommand, type SSMClient } from '@aws-sdk/client-ssm';
import { awsCodeOf } from '../../../aws/errors.ts';
import { MissingReferenceError } from '../../../errors.ts';

/** Parameters of Systems Manager that contain the id of an image, such as those that Ubuntu's publisher maintains. */
export interface ImageParameters {
  /** Throws MissingReference if there is no such parameter, or if it does not contain an image. */
  imageId(parameter: string): Promise<string>;
}

/** The port, implemented with Systems Manager. */
export const createImageParameters = (ssm: SSMClient): ImageParameters => ({
  imageId: async (Name) => {
    try {
      const { Parameter } = await ssm.send(new GetParameterCommand({ Name }));
      const id = Parameter?.Value ?? '';
      if (/^ami-[0-9a-f]+$/.test(id)) return id;
    } catch (error) {
      if (awsCodeOf(error) === 'ParameterNotFound')
        throw new MissingReferenceError(`spec.imageLookupFormat: ParameterNotFound: there is no parameter ${Name}`);
      throw error;
    }
    throw new MissingReferenceError(`spec.imageLookupFormat: parameter ${Name} does not hold the id of an image`);
  },
});
