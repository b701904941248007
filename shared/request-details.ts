/**
 * The parts of AWS's messages that differ each time: the request id, which shared/aws/errors.ts appends, and the
 * authorization failure message, which EC2 encrypts.
 */
const DETAILS = / \(request [^)]*\)|\s*Encoded authorization failure message: [\w+/=-]+/g;

/** The message without the parts that differ even if AWS gives the same answer again. */
export const withoutRequestDetails = (message: string): string => message.replace(DETAILS, '');

/** Whether two messages report the same error, apart from the details of each request. */
export const saySame = (a: string | undefined = '', b: string | undefined = ''): boolean =>
  a === b || withoutRequestDetails(a) === withoutRequestDetails(b);
