import { StatusError } from '../../status-error.ts';

/** An object could not be converted. Upstream answers with 500 and no reason. */
export class ConversionError extends StatusError {
  constructor(message: string) {
    super(500, '', message);
  }
}
