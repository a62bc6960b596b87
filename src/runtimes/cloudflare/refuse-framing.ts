/**
 * What the platform's parser lets through and this server must not act on. A length beside a coding is how one
 * request is hidden in another, and Node's parser refuses it before any code of ours. A WebSocket's request loses its
 * method and its body on the way: what was asked as POST would be sent on as GET.
 */
import { upgradeRefused } from '../../api/middleware/refuse-upgrade.js';
import { SondeError } from '../../errors.js';

export function refuseFraming(headers: Headers): void {
  const coding = headers.get('transfer-encoding');
  if (coding !== null && headers.has('content-length')) {
    throw refusal('A request has a Content-Length or a Transfer-Encoding, not both.');
  }
  if (coding !== null && coding.trim().toLowerCase() !== 'chunked') {
    throw refusal('The only Transfer-Encoding that is understood is chunked.');
  }
  if (/\bwebsocket\b/i.test(headers.get('upgrade') ?? '')) {
    throw upgradeRefused();
  }
}

function refusal(message: string): SondeError {
  return new SondeError('INVALID_REQUEST', message);
}
