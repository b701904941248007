import { AwsFault } from '../wire/fault.ts';

const denied = (message: string): AwsFault => new AwsFault('AccessDenied', message, 403);

const timeOf = (text: string): number => {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? [];
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
};

/** Whether a presigned address still holds. Signatures are not verified here, as in all ordinary requests. */
export const checkPresigned = ({ searchParams: query }: URL, now: Date): void => {
  const begin = timeOf(query.get('X-Amz-Date') ?? '');
  const seconds = Number(query.get('X-Amz-Expires') ?? Number.NaN);
  if (Number.isNaN(begin) || Number.isNaN(seconds) || !query.get('X-Amz-Signature')) {
    throw denied('Query-string authentication requires the Signature, Expires and Date parameters');
  }
  if (now.getTime() > begin + seconds * 1000) throw denied('Request has expired');
};
