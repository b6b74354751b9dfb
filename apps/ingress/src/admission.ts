import type { IncomingMessage } from 'node:http'
import { DEPLOYMENTS, type Deployment, deploymentOf } from '@trestle/contracts/areas'
import { Problem } from '@trestle/problem/problem'

export type IncomingHead = Pick<IncomingMessage, 'url' | 'httpVersion' | 'headers' | 'rawHeaders'>

/** The deployment a request is for, if any; a request that two programs could read in two ways is refused. */
export function admit(arrival: IncomingHead, deployments: readonly Deployment[] = DEPLOYMENTS): Deployment | undefined {
  checkVersion(arrival)
  checkHost(arrival)
  checkFraming(arrival)
  checkExpectation(arrival)
  return deploymentOf(pathOf(arrival.url ?? ''), deployments)
}

function checkVersion({ httpVersion }: IncomingHead): void {
  // The parser accepts 0.9 and a textual 2.0 as well.
  if (httpVersion !== '1.1' && httpVersion !== '1.0') throw misframed('InvalidVersion', 'This is a server of HTTP/1.1 and HTTP/1.0.')
}

function checkHost({ httpVersion, headers, rawHeaders }: IncomingHead): void {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length
  // RFC 9112 section 3.2: exactly one, and of the form that RFC 3986 section 3.2 gives a host and port.
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) throw refusal('InvalidHost', 'There must be exactly one Host header.')
  if (!/^[\w.~!$&'()*+,;=%:[\]-]*$/.test(headers.host ?? '')) throw refusal('InvalidHost', 'The Host header must be a name or address.')
}

function checkFraming({ httpVersion, headers }: IncomingHead): void {
  const coding = headers['transfer-encoding']
  if (coding === undefined) return
  // RFC 9112 section 6.1: a coding other than chunked would be lost when the body is framed again ...
  if (coding.toLowerCase() !== 'chunked') throw misframed('InvalidFraming', 'Transfer-Encoding must be chunked.')
  // ... and a proxy that passed on a request of HTTP/1.0 may not have known of codings at all.
  if (httpVersion === '1.0') throw misframed('InvalidFraming', 'HTTP/1.0 has no Transfer-Encoding.')
}

function checkExpectation({ headers }: IncomingHead): void {
  // RFC 9110 section 10.1.1.
  if (headers.expect === undefined || headers.expect.toLowerCase() === '100-continue') return
  throw new Problem('expectation-failed', 'ExpectationFailed', 'The only expectation that can be met is 100-continue.', CLOSE)
}

/** The path exactly as sent: services read it themselves, so nothing is decoded or tidied here. */
function pathOf(target: string): string {
  if (!target.startsWith('/')) throw refusal('InvalidTarget', 'The request target must be a path.')
  const path = target.split('?', 1)[0] ?? ''
  // Whatever a service might take for a separator counts as one: `..` must not lead out of its base path.
  const segments = path.replace(/%2e/gi, '.').split(/[/\\#]|%2f|%5c/i)
  if (segments.includes('.') || segments.includes('..')) throw refusal('InvalidPath', 'The path must not contain "." or ".." segments.')
  return path
}

// Where the body ends, or whether it comes, two programs may see differently: what follows is no longer read.
const CLOSE = { headers: { connection: 'close' } }

function misframed(code: string, detail: string): Problem {
  return new Problem('invalid', code, detail, CLOSE)
}

function refusal(code: string, detail: string): Problem {
  return new Problem('invalid', code, detail)
}
