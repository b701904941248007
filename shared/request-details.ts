/** What AWS words differently each time: the id of the request (shared/aws/errors.ts appends it), and an authorization message, which EC2 encrypts. */
const DETAILS = / \(request [^)]*\)|\s*Encoded authorization failure message: [\w+/=-]+/g;

/** The message without what differs between repetitions of the same answer of AWS. */
export const withoutRequestDetails = (message: string): string => message.replace(DETAILS, '');

/** Whether two messages report the same, although each has the details of its own request. */
export const saySame = (a: string | undefined = '', b: string | undefined = ''): boolean =>
  a === b || withoutRequestDetails(a) === withoutRequestDetails(b);
