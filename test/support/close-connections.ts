/**
 * Uses one connection per request for everything a test sends with `fetch`. workerd closes connections without notice:
 * after 5 idle seconds, and after it refused a body that it had not read. A POST sent on such a connection fails with
 * ECONNRESET.
 */
import { Agent, setGlobalDispatcher } from 'undici';

setGlobalDispatcher(new Agent({ pipelining: 0 }));
