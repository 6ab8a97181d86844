import { createHmac } from 'node:crypto';
import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { errorText } from '../../../wire/util/error-text.js';
import { checkAddress, checkedLookup } from './addresses.js';

/** One message to send. */
export interface Message {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  readonly body: string;
}

/** The result of one attempt. */
export interface Attempt {
  readonly ok: boolean;
  /** Why it failed, in words. */
  readonly error?: string | undefined;
  /** The status of the answer, if there was one. */
  readonly status?: number | undefined;
  /** Whether retrying is pointless. */
  readonly isFinal?: boolean | undefined;
}

/** How long an attempt may take. */
const LONGEST_MS = 15_000;

/** What one request contains. */
export interface Post {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** Sends a message once, signed according to Standard Webhooks; never rejects. */
export function post(message: Message, named: ReadonlySet<string>, signal: AbortSignal): Promise<Attempt> {
  const { url, body } = message;
  return postTo(url, { headers: headersOf(message, Date.now()), body }, { named, signal });
}

/** Sends a request to an address that a client gave; never rejects. Redirects are not followed. */
export function postTo(
  address: string,
  { headers, body }: Post,
  { named, signal }: { readonly named: ReadonlySet<string>; readonly signal: AbortSignal },
): Promise<Attempt> {
  return new Promise((resolve) => {
    const fail = (error: unknown, more: Pick<Attempt, 'isFinal' | 'status'> = {}) =>
      resolve({ ok: false, error: errorText(error), ...more });
    let url: URL;
    try {
      url = checkAddress(address, named);
    } catch (error) {
      fail(error, { isFinal: true });
      return;
    }
    const request = (url.protocol === 'https:' ? overHttps : overHttp)(url, {
      method: 'POST',
      headers,
      lookup: checkedLookup(named),
      agent: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]),
    });
    request.on('error', (error) => fail(error));
    request.on('response', (response) => {
      const { statusCode: status = 0 } = response;
      // The response body is ignored.
      response.destroy();
      if (status >= 200 && status < 300) resolve({ ok: true, status });
      else fail(`The receiver answered ${status}.`, { status, isFinal: status === 410 });
    });
    request.end(body);
  });
}

function headersOf({ id, secret, body }: Message, now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1_000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'user-agent': 'coxswain',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
