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
  /** Whether retrying is pointless. */
  readonly isFinal?: boolean | undefined;
}

/** How long an attempt may take. */
const LONGEST_MS = 15_000;

/** Sends a message once, signed according to Standard Webhooks; never rejects. Redirects are not followed. */
export function post(message: Message, named: ReadonlySet<string>, signal: AbortSignal): Promise<Attempt> {
  return new Promise((resolve) => {
    const fail = (error: unknown, isFinal = false) =>
      resolve({ ok: false, error: errorText(error), isFinal });
    let url: URL;
    try {
      url = checkAddress(message.url, named);
    } catch (error) {
      fail(error, true);
      return;
    }
    const request = (url.protocol === 'https:' ? overHttps : overHttp)(url, {
      method: 'POST',
      headers: headersOf(message, Date.now()),
      lookup: checkedLookup(named),
      agent: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]),
    });
    request.on('error', (error) => fail(error));
    request.on('response', (response) => {
      const { statusCode = 0 } = response;
      // The response body is ignored.
      response.destroy();
      if (statusCode >= 200 && statusCode < 300) resolve({ ok: true });
      else fail(`The receiver answered ${statusCode}.`, statusCode === 410);
    });
    request.end(message.body);
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
