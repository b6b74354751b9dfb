import type { IncomingMessage } from 'node:http'
import { type Deployment, deploymentOf } from '@trestle/contracts/areas'
import { Problem } from '@trestle/problem/problem'

export type Arrival = Pick<IncomingMessage, 'url' | 'httpVersion' | 'headers' | 'rawHeaders'>

/** The deployment a request is for, if any; a request that two programs could read in two ways is refused. */
export function admit(arrival: Arrival): Deployment | undefined {
  checkHost(arrival)
  // RFC 9112 section 6.1: a coding other than chunked would be lost when the body is framed anew.
  const coding = arrival.headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') throw refusal('InvalidFraming', 'Transfer-Encoding must be chunked.')
  return deploymentOf(pathOf(arrival.url ?? ''))
}

function checkHost({ httpVersion, rawHeaders }: Arrival): void {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length
  // RFC 9112 section 3.2.
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) throw refusal('InvalidHost', 'There must be exactly one Host header.')
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

function refusal(code: string, detail: string): Problem {
  return new Problem('invalid', code, detail)
}
