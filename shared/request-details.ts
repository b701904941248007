/**
 * The parts of AWS's messages that differ each time: the id of the request (shared/aws/errors.ts appends it), and the
 * authorization message, which EC2 encrypts.
 */
const DETAILS = / \(request [^)]*\)|\s*Encoded authorization failure message: [\w+/=-]+/g;

/** The message without the parts that differ when AWS gives the same answer again. */
export const withoutRequestDetails = (message: string): string => message.replace(DETAILS, '');

/** Whether two messages report the same, although each has the details of its own request. */
export const saySame = (a: string | undefined = '', b: string | undefined = ''): boolean =>
  a === b || withoutRequestDetails(a) === withoutRequestDetails(b);
