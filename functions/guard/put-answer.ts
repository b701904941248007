/**
 * The address is signed for a request without a content type, which `fetch` sets only for text. Throws if the request
 * is refused.
 */
export const putAnswer = async (url: string, body: string): Promise<void> => {
  const response = await fetch(url, { method: 'PUT', body: new TextEncoder().encode(body) });
  if (!response.ok) throw new Error(`CloudFormation did not accept the response: ${response.status}`);
};
